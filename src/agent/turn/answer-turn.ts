/** What a turn of copilot chat brings: its prompt, tools, preflight and history. */
import { answerDocument, type AnswerDocument } from '../../domain/conversation/answer-schema.ts';
import type { TurnOutcome } from '../../domain/conversation/turn-activity.ts';
import { createLoaders } from '../../services/loaders/loaders.ts';
import type { LabServers } from '../../sources/mcp/lab-servers.ts';
import type { FiguresService } from '../../services/calibration/figures.ts';
import type { TaskKnowledgeService } from '../../services/calibration/task-knowledge.ts';
import { BLOCKS_SCHEMA } from '../answer/document-reader.ts';
import type { AnswerSchema, Model } from '../model.ts';
import { assertWritesDocuments, type ModelCatalog } from '../models/catalog.ts';
import { planPreflight } from '../preflight/plan-preflight.ts';
import type { PromptTexts } from '../prompt/prompt-texts.ts';
import { always, type PromptSection } from '../prompt/prompt-section.ts';
import { WITHOUT_TOOLS } from '../prompt/without-tools.ts';
import type { ToolRegistry } from '../tool-registry.ts';
import { labTools } from '../tools/lab-tools.ts';
import { queryDataset } from '../tools/query-dataset.ts';
import { verifyAgainstLive } from '../tools/verify-against-live.ts';
import type { AnswerTurn, TurnRun } from '../turn-run.ts';
import {
  createAnswerer,
  earlierTurns,
  runAssembled,
  type TurnDeps,
  type TurnScope,
} from './assemble-turn.ts';
import { writeTurnPrompt } from './turn-prompt.ts';
import { findTurnSubject } from './turn-subject.ts';

/** What answering chat needs; all of it lives as long as the process. */
export type AnswerTurnDeps = TurnDeps & {
  readonly models: ModelCatalog;
  readonly tools: ToolRegistry;
  readonly labServers: Pick<LabServers, 'toolsOf' | 'call'>;
  readonly prompts: PromptTexts;
  readonly knowledge: TaskKnowledgeService;
  readonly figures: FiguresService;
};

/** The function that answers turns of copilot chat, for the runner. */
export const createAnswerTurn = (deps: AnswerTurnDeps): AnswerTurn =>
  createAnswerer(deps, (run, scope) => answer(deps, run, scope));

async function answer(deps: AnswerTurnDeps, run: TurnRun, scope: TurnScope): Promise<TurnOutcome> {
  const { settings, services, store, models } = deps;
  const { viewer, session, turn, question, lacks = [] } = run;
  const { live, datasets, dataStore } = scope;
  const model = models.resolve(turn.model);
  if (turn.answerSchema !== null) assertWritesDocuments(models, turn.model);
  const document = turn.answerSchema && answerDocument(turn.answerSchema);
  const loaders = createLoaders(services, viewer);
  const subject = await findTurnSubject(services, loaders, viewer, session);
  const earlier = await earlierTurns(deps, run);
  const chipId = subject.selectedChipId ?? subject.chip?.chipId ?? null;
  const planned = await planPreflight({ run, earlier, store, services, loaders, chipId, live });
  const isDispute = planned?.isDispute ?? false;
  const answerFormat = settings.models.find(({ name }) => name === model.name)?.answerFormat ?? 'markdown';
  const { sections, pictures } = await writeTurnPrompt(deps, {
    viewer,
    session,
    question: question.text,
    sent: lacks.includes('PICTURES') ? [] : await store.pictures(session.id, question.id),
    subject,
    loaders,
    earlier,
    datasets: datasets.all,
    keptData: lacks.includes('KEPT_DATA') ? [] : await dataStore.list(),
    model: { answerFormat, supportsImages: models.supportsImages(model.name) },
    isDispute,
  });
  // Without uploaded tables, their tool would only take up room in every request.
  const own = datasets.all.length > 0 ? deps.tools : deps.tools.without(queryDataset.name);
  // Behind ours, so that a server that comes or goes leaves the beginning of the prompt as it was.
  const { labServers } = deps;
  const offered = own.with(...labTools(labServers, await labServers.toolsOf(viewer.projectId)));
  return runAssembled(deps, run, scope, {
    model,
    fallback: writerOf(models.fallbackOf(model.name), document),
    capabilitiesOf: (name) => models.capabilitiesOf(name),
    sections: document ? [...sections, documentSection(document)] : sections,
    // A dispute is compared with live values even where there is no live source: the tool reports that then.
    tools: isDispute ? offered.withHidden(verifyAgainstLive) : offered,
    chipId,
    history: { earlier },
    preflight: planned?.preflight ?? null,
    images: pictures.images,
    seesImages: models.supportsImages(model.name),
    ...(document
      ? { answerSchema: nativeSchema(document), checkDocument: document.check }
      : { answerSchema: answerFormat === 'blocks' ? BLOCKS_SCHEMA : null }),
    withoutTools: WITHOUT_TOOLS,
    givesResults: document === null,
    asksPeople: true,
  });
}

/** The offline programs write no documents, so they do not replace a model that does. */
const writerOf = (model: Model | null, document: AnswerDocument | null): Model | null =>
  document !== null && model?.isProgram ? null : model;

/** Providers take schemas of objects only. */
const nativeSchema = ({ schema }: AnswerDocument): AnswerSchema | null =>
  schema['type'] === 'object' ? { name: 'answer', schema } : null;

/** Said to every model: some have no schemas, some only follow them in part, and the fallback may be another. */
const documentSection = ({ schema }: AnswerDocument): PromptSection =>
  always({
    id: 'answer-schema',
    text: `A program reads the answer to this message. Whatever was said about the form of answers, here it is one JSON document that satisfies the JSON schema below, and nothing before or after it: no Markdown, no remark, no line with an assessment. Call tools first for the values that it needs; invent none.\n\n${JSON.stringify(schema)}`,
  });
