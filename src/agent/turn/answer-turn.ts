/**
 * Answers one turn of copilot chat: puts together history, prompt, tools and limits, and lets the loop run. It knows
 * nothing of rows, events or sequence; what it emits and how it ends is the runner's to write.
 */
import type { TurnOutcome } from '../../domain/conversation/turn-activity.ts';
import type { LiveSource } from '../../sources/live/live-source.ts';
import { createLoaders } from '../../services/loaders/loaders.ts';
import type { PythonSandbox } from '@qpilot/python-sandbox';
import type { CalibrationServices } from '../../services/calibration/calibration-services.ts';
import type { FiguresService } from '../../services/calibration/figures.ts';
import type { TaskKnowledgeService } from '../../services/calibration/task-knowledge.ts';
import type { Uploads } from '../../services/uploads.ts';
import type { AnswerFormat, ModelSettings, Settings } from '../../config/settings.ts';
import type { SessionStore } from '../../stores/session-store.ts';
import { BLOCKS_SCHEMA } from '../answer/blocks-schema.ts';
import { openDatasets, type Datasets } from '../data/datasets.ts';
import { createSessionData } from '../data/session-data.ts';
import { makeTurnHistory, type SentHistory } from '../history/turn-history.ts';
import { runLoop } from '../loop/loop.ts';
import type { PriceOf } from '../loop/usage-meter.ts';
import type { ModelCatalog } from '../models/catalog.ts';
import { planOpening, type TurnOpening } from '../preflight/turn-opening.ts';
import { promptText } from '../prompt/prompt-section.ts';
import type { PromptTexts } from '../prompt/prompt-texts.ts';
import { WITHOUT_TOOLS } from '../prompt/without-tools.ts';
import type { ToolRegistry } from '../tool-registry.ts';
import { queryDataset } from '../tools/query-dataset.ts';
import { verifyAgainstLive } from '../tools/verify-against-live.ts';
import type { TurnWatchDeps } from '../watch/turn-watch.ts';
import { keptDataSection } from './kept-data-section.ts';
import { loopParts } from './loop-parts.ts';
import { historyLimits, loopLimits, priceOf } from './settings-limits.ts';
import { framedAnswer, type TurnFrame } from './turn-frame.ts';
import { withPictures } from './turn-pictures.ts';
import { writeTurnPrompt } from './turn-prompt.ts';
import { failedBefore, type AnswerTurn, type TurnRun } from './turn-run.ts';
import { findTurnSubject } from './turn-subject.ts';

/** What answering needs; all of it lives as long as the process. */
export type AnswerTurnDeps = TurnWatchDeps & {
  readonly settings: Settings;
  readonly models: ModelCatalog;
  readonly tools: ToolRegistry;
  readonly prompts: PromptTexts;
  readonly services: CalibrationServices;
  readonly knowledge: TaskKnowledgeService;
  readonly figures: FiguresService;
  readonly store: SessionStore;
  readonly uploads: Pick<Uploads, 'ofSession' | 'query'>;
  readonly live: LiveSource;
  readonly sandbox: PythonSandbox;
  readonly now: () => Date;
};

/** Earlier turns that are looked at; how many of them are sent, and what is summarised, depends on their length. */
const HISTORY_TURNS = 200;

/** The function that answers turns, for the runner. */
export const createAnswerTurn = (deps: AnswerTurnDeps): AnswerTurn =>
  framedAnswer(deps, (run, frame) => answer(deps, run, frame));

async function answer(deps: AnswerTurnDeps, run: TurnRun, { live, watch }: TurnFrame): Promise<TurnOutcome> {
  const { settings, services, store, tools, now, logger } = deps;
  const { viewer, session, turn } = run;
  const model = deps.models.resolve(turn.model);
  const loaders = createLoaders(services, viewer);
  const subject = await findTurnSubject(services, loaders, viewer, session);
  const earlier = await store.earlierTurns(turn, HISTORY_TURNS);
  const datasets = await openDatasets(deps.uploads, session);
  const chipId = subject.selectedChipId ?? subject.chip?.chipId ?? null;
  const planned = await planOpening({ run, earlier, store, services, loaders, chipId, live });
  const answerFormat = answerFormatOf(settings.models, model.name);
  const { sections, pictures } = await writeTurnPrompt(deps, {
    viewer,
    session,
    question: run.question.text,
    sent: await store.pictures(session.id, run.question.id),
    subject,
    loaders,
    earlier,
    datasets: datasets.all,
    model: { answerFormat, supportsImages: deps.models.supportsImages(model.name) },
    isDispute: planned?.isDispute ?? false,
  });
  const dataStore = createSessionData(store.data, session.id);
  const offered = toolsFor(tools, datasets, planned);
  const answerSchema = answerFormat === 'blocks' ? BLOCKS_SCHEMA : null;
  const known = [...sections, ...present(keptDataSection(await dataStore.list()))];
  const contextTokens = model.isProgram ? Number.MAX_SAFE_INTEGER : deps.models.contextTokensOf(model.name);
  const fallback = deps.models.fallbackOf(model.name);
  const price: PriceOf = (name, usage) => priceOf(settings.models, name, usage);
  const history = await makeTurnHistory(
    {
      store,
      model: watch.watched(model, 'SUMMARY'),
      summaryRules: deps.prompts.summary,
      limits: historyLimits(settings, contextTokens),
      priceOf: price,
      logger,
    },
    run,
    earlier,
    {
      text: promptText(known) + JSON.stringify([offered.schemas, answerSchema]),
      images: pictures.images,
    },
  );
  if ('code' in history) return failedBefore(run, history);
  const fitted = (sent: SentHistory) => ({
    instructions: promptText([...known, ...present(sent.section)]),
    input: withPictures(sent.input, pictures),
  });
  return runLoop({
    model: watch.watched(model, 'ANSWER'),
    fallback: fallback && watch.watched(fallback, 'ANSWER'),
    tools: offered,
    ...loopParts(deps, run, {
      chipId,
      services,
      sandbox: deps.sandbox,
      dataStore,
      datasets,
      live,
      now,
    }),
    ...fitted(history),
    refit(other) {
      const window = deps.models.contextTokensOf(other.name);
      const sent = history.refit(other, window);
      return sent && { ...fitted(sent), contextTokens: window };
    },
    answerSchema,
    withoutTools: WITHOUT_TOOLS,
    spent: history.spent,
    tokensPerEstimate: history.tokensPerEstimate,
    opening: planned?.opening ?? null,
    limits: loopLimits(settings.limits.turn, contextTokens),
  });
}

/**
 * Without tables, the tool for them is of no use and a good part of what every request would carry. A doubt is answered
 * by a comparison, also where there is no live source to compare with: that is said then.
 */
function toolsFor(tools: ToolRegistry, { all }: Datasets, planned: TurnOpening | null): ToolRegistry {
  const offered = all.length > 0 ? tools : tools.without(queryDataset.name);
  return planned?.isDispute ? offered.with(verifyAgainstLive) : offered;
}

const present = <Item>(item: Item | null): readonly Item[] => (item === null ? [] : [item]);

const answerFormatOf = (models: readonly ModelSettings[], name: string): AnswerFormat =>
  models.find((model) => model.name === name)?.answerFormat ?? 'markdown';
