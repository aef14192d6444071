/**
 * What a turn of a builder session brings: the builder's prompt, and tools that write the artifacts. The log's writer
 * stores their revisions from the activities that the tools emit.
 */
import { dataMarkOf } from '../prompt/data-marks.ts';
import type { PromptSection } from '../prompt/prompt-section.ts';
import type { PromptTexts } from '../prompt/prompt-texts.ts';
import { WITHOUT_TOOLS } from '../prompt/without-tools.ts';
import { createToolRegistry } from '../tool-registry.ts';
import type { Tool } from '../tool.ts';
import { getCalibrationNotes } from '../tools/get-calibration-notes.ts';
import { getLabContext } from '../tools/get-lab-context.ts';
import { listEntities } from '../tools/list-entities.ts';
import type { AnswerTurn, TurnRun } from '../turn-run.ts';
import {
  createAnswerer,
  earlierTurns,
  runAssembled,
  type TurnDeps,
  type TurnScope,
} from '../turn/assemble-turn.ts';
import { tracedTools } from '../watch/trace-tools.ts';
import type { Artifacts } from '../../domain/artifacts/artifacts.ts';
import type { TurnError } from '../../domain/conversation/session.ts';
import type { TurnOutcome } from '../../domain/conversation/turn-activity.ts';
import { CATEGORY_RULES, type ToolSetup } from '../../experts/tool-categories.ts';
import type { TaskKnowledgeService } from '../../services/calibration/task-knowledge.ts';
import type { BuilderDraft, BuilderStore } from '../../stores/pg/builder-store.ts';
import type { EarlierTurn } from '../../stores/session-store.ts';
import type { WebSearch } from '../../sources/web/web-search.ts';
import { createArtifactEditor, reportingNeverRun } from './artifact-editor.ts';
import { artifactTools } from './artifact-tools.ts';
import type { BuilderModels } from './builder-models.ts';
import { builderPrompt } from './builder-prompt.ts';
import { webSearchTool } from './web-search-tool.ts';

/** What answering builder sessions needs; all of it lives as long as the process. */
export type BuilderTurnDeps = Omit<TurnDeps, 'prompts'> & {
  readonly prompts: Pick<PromptTexts, 'builder' | 'summary'>;
  readonly knowledge: TaskKnowledgeService;
  readonly builderModels: Pick<BuilderModels, 'resolve' | 'capabilitiesOf'>;
  readonly drafts: BuilderStore;
  /** What jobs of this server may use. */
  readonly jobTools: ToolSetup;
  /** Null where there is no key for it. */
  readonly webSearch: WebSearch | null;
};

/** The function that answers the turns of builder sessions, for the runner. */
export const createBuilderTurn = (deps: BuilderTurnDeps): AnswerTurn =>
  createAnswerer(deps, async (run, scope) => withText(run, await answer(deps, run, scope)));

async function answer(deps: BuilderTurnDeps, run: TurnRun, scope: TurnScope): Promise<TurnOutcome> {
  const { drafts, builderModels } = deps;
  const { session, turn } = run;
  const model = builderModels.resolve(turn.model);
  const draft = await drafts.draft(session.id);
  const earlier = await earlierTurns(deps, run);
  const artifacts = draft.proposed ?? draft.artifacts;
  const editor = createArtifactEditor({ ...draft, artifacts }, CATEGORY_RULES, run.emit);
  const turnIds = earlier.map(({ turnId }) => turnId);
  const calls = await drafts.callsOf(session.id, turnIds);
  const outcome = await runAssembled(deps, { ...run, emit: reportingNeverRun(run.emit, editor) }, scope, {
    model,
    fallback: null,
    capabilitiesOf: (name) => builderModels.capabilitiesOf(name),
    sections: await promptOf(deps, run, draft, earlier),
    tools: tracedTools(
      createToolRegistry(toolsOf(deps, artifactTools(editor)), () => []),
      deps.tracing,
    ),
    chipId: null,
    // What its calls wrote may have changed since: the artifacts come with the message once more where they have.
    history: { earlier: earlier.map((each) => withCalls(each, calls.get(each.turnId) ?? [])) },
    withoutTools: WITHOUT_TOOLS,
  });
  const { error, rounds } = outcome;
  return error === null || rounds > 0 ? outcome : { ...outcome, error: withSizes(error, artifacts) };
}

/**
 * An earlier turn with a line for the outcome of each of its calls behind its answer, for turns whose rounds are not sent:
 * the prompt has the artifacts as they are now.
 */
function withCalls(turn: EarlierTurn, calls: readonly string[]): EarlierTurn {
  if (turn.answer === null || calls.length === 0) return turn;
  const lines = calls.map((call) => `- ${call}`).join('\n');
  return { ...turn, answer: { ...turn.answer, text: `${turn.answer.text}\n\nTools used:\n${lines}` } };
}

/** Adds the size of each artifact to the error of a request that was too large: only the user can make room. */
function withSizes(error: TurnError, { instructions, config, description }: Artifacts): TurnError {
  if (error.code !== 'CONTEXT_TOO_LARGE') return error;
  const settings = config === null ? '' : JSON.stringify(config, null, 2);
  const sizes = [
    `the instructions have ${characters(instructions ?? '')}`,
    `the settings ${characters(settings)}`,
    `the description ${characters(description ?? '')}`,
  ];
  return { ...error, message: `${error.message}. Of the artifacts ${sizes.join(', ')}.` };
}

const characters = (text: string): string => `${text.length.toLocaleString('en-US')} characters`;

async function promptOf(
  { prompts, services, knowledge, drafts, jobTools }: BuilderTurnDeps,
  { session }: TurnRun,
  { proposed, artifacts, ...draft }: BuilderDraft,
  earlier: readonly EarlierTurn[],
): Promise<readonly PromptSection[]> {
  const last = earlier.at(-1);
  // A pending proposal is the model's own work: the user cannot have changed it.
  const seen =
    last === undefined || proposed !== null ? null : await drafts.artifactsAfter(session.id, last.turnId);
  return builderPrompt({
    ...draft,
    persona: prompts.builder,
    setup: jobTools,
    metrics: services.metrics.metrics,
    knownTasks: knowledge.all,
    artifacts: proposed ?? artifacts,
    seen,
    dataMark: dataMarkOf(session.id),
  });
}

/** Besides writing, the builder may look up what the lab has; it measures and analyses nothing. */
const toolsOf = ({ webSearch }: BuilderTurnDeps, writing: readonly Tool[]): readonly Tool[] => [
  ...writing,
  getLabContext,
  listEntities,
  getCalibrationNotes,
  ...(webSearch === null ? [] : [webSearchTool(webSearch)]),
];

/** A model that only called its tools has done its work: the log has their outcomes, so nothing failed. */
function withText({ emit }: TurnRun, outcome: TurnOutcome): TurnOutcome {
  if (outcome.error?.code !== 'EMPTY_ANSWER') return outcome;
  emit({ type: 'text', text: '(The model gave no text.)' });
  return { ...outcome, status: 'COMPLETED', error: null };
}
