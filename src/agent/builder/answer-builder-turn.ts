/**
 * Answers a turn of a builder session: the same loop as chat, with the builder's prompt and the tools that write the
 * artifacts. It knows nothing of rows; revisions are stored by the log's writer from what the tools tell.
 */
import { openDatasets } from '../data/datasets.ts';
import { createSessionData } from '../data/session-data.ts';
import { makeTurnHistory } from '../history/turn-history.ts';
import { runLoop } from '../loop/loop.ts';
import type { PriceOf } from '../loop/usage-meter.ts';
import { newDataMark } from '../prompt/data-marks.ts';
import { promptText, type PromptSection } from '../prompt/prompt-section.ts';
import { WITHOUT_TOOLS } from '../prompt/without-tools.ts';
import { createToolRegistry } from '../tool-registry.ts';
import type { Tool } from '../tool.ts';
import { getCalibrationNotes } from '../tools/get-calibration-notes.ts';
import { getLabContext } from '../tools/get-lab-context.ts';
import { listEntities } from '../tools/list-entities.ts';
import type { AnswerTurnDeps } from '../turn/answer-turn.ts';
import { loopParts } from '../turn/loop-parts.ts';
import { historyLimits, loopLimits, priceOf } from '../turn/settings-limits.ts';
import { framedAnswer, type TurnFrame } from '../turn/turn-frame.ts';
import { failedBefore, type AnswerTurn, type TurnRun } from '../turn/turn-run.ts';
import { tracedTools } from '../watch/trace-tools.ts';
import type { TurnOutcome } from '../../domain/conversation/turn-activity.ts';
import { CATEGORY_RULES, type ToolSetup } from '../../experts/tool-categories.ts';
import type { BuilderDraft, BuilderStore } from '../../stores/builder-store.ts';
import type { EarlierTurn } from '../../stores/session-store.ts';
import type { WebSearch } from '../../sources/web/web-search.ts';
import { createArtifactEditor } from './artifact-editor.ts';
import { artifactTools } from './artifact-tools.ts';
import type { BuilderModels } from './builder-models.ts';
import { builderPrompt } from './builder-prompt.ts';
import { tellingNeverRun } from './calls-never-run.ts';
import { withCalls } from './history-stubs.ts';
import { withSizes } from './too-large.ts';
import { webSearchTool } from './web-search-tool.ts';

/** What answering builder sessions needs: what chat needs, and what is the builder's own. */
export type BuilderTurnDeps = Omit<AnswerTurnDeps, 'models' | 'tools' | 'figures'> & {
  readonly builderModels: BuilderModels;
  readonly drafts: BuilderStore;
  /** What jobs of this server may use. */
  readonly jobTools: ToolSetup;
  /** Null where there is no key for it. */
  readonly webSearch: WebSearch | null;
};

/** Earlier turns that are looked at, as in chat. */
const HISTORY_TURNS = 200;

/** The function that answers the turns of builder sessions, for the runner. */
export const createBuilderTurn = (deps: BuilderTurnDeps): AnswerTurn =>
  framedAnswer(deps, async (run, frame) => withWords(run, await answer(deps, run, frame)));

async function answer(deps: BuilderTurnDeps, run: TurnRun, { live, watch }: TurnFrame): Promise<TurnOutcome> {
  const { settings, services, store, drafts, now, logger } = deps;
  const { session, turn } = run;
  const model = deps.builderModels.resolve(turn.model);
  const draft = await drafts.draft(session.id);
  const earlier = await store.earlierTurns(turn, HISTORY_TURNS);
  const sections = await promptOf(deps, run, draft, earlier);
  const artifacts = draft.proposed ?? draft.artifacts;
  const editor = createArtifactEditor({ ...draft, artifacts }, CATEGORY_RULES, run.emit);
  const told: TurnRun = { ...run, emit: tellingNeverRun(run.emit, editor) };
  const tools = tracedTools(
    createToolRegistry(toolsOf(deps, artifactTools(editor)), () => []),
    deps.tracing,
  );
  const datasets = await openDatasets(deps.uploads, session);
  const contextTokens = model.isProgram
    ? Number.MAX_SAFE_INTEGER
    : deps.builderModels.contextTokensOf(model.name);
  const price: PriceOf = (name, usage) => priceOf(settings.models, name, usage);
  const calls = await drafts.callsOf(
    session.id,
    earlier.map(({ turnId }) => turnId),
  );
  const history = await makeTurnHistory(
    {
      store,
      model: watch.watched(model, 'SUMMARY'),
      summaryRules: deps.prompts.summary,
      limits: historyLimits(settings, contextTokens),
      priceOf: price,
      logger,
    },
    told,
    earlier.map((each) => withCalls(each, calls.get(each.turnId) ?? [])),
    { text: promptText(sections) + JSON.stringify(tools.schemas), images: [] },
  );
  if ('code' in history) return failedBefore(run, withSizes(history, artifacts));
  return runLoop({
    model: watch.watched(model, 'ANSWER'),
    fallback: null,
    tools,
    ...loopParts(deps, told, {
      chipId: null,
      services,
      sandbox: deps.sandbox,
      dataStore: createSessionData(store.data, session.id),
      datasets,
      live,
      now,
    }),
    instructions: promptText([...sections, ...(history.section ? [history.section] : [])]),
    answerSchema: null,
    withoutTools: WITHOUT_TOOLS,
    input: history.input,
    spent: history.spent,
    tokensPerEstimate: history.tokensPerEstimate,
    opening: null,
    limits: loopLimits(settings.limits.turn, contextTokens),
  });
}

async function promptOf(
  { prompts, services, knowledge, drafts, jobTools }: BuilderTurnDeps,
  { session }: TurnRun,
  { proposed, artifacts, ...draft }: BuilderDraft,
  earlier: readonly EarlierTurn[],
): Promise<readonly PromptSection[]> {
  const last = earlier.at(-1);
  // A proposal is the model's own, whatever the user did beside it.
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
    dataMark: newDataMark(),
  });
}

/** Beside writing, the builder may look up what the lab has; it measures and analyses nothing. */
const toolsOf = ({ webSearch }: BuilderTurnDeps, writing: readonly Tool[]): readonly Tool[] => [
  ...writing,
  getLabContext,
  listEntities,
  getCalibrationNotes,
  ...(webSearch === null ? [] : [webSearchTool(webSearch)]),
];

/** A model that only called its tools has done its work: the outcomes stand in the log, so nothing failed. */
function withWords({ emit }: TurnRun, outcome: TurnOutcome): TurnOutcome {
  if (outcome.error?.code !== 'EMPTY_ANSWER') return outcome;
  emit({ type: 'text', text: '(The model gave no text.)' });
  return { ...outcome, status: 'COMPLETED', error: null };
}
