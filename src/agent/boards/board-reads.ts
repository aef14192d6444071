/** Carries out the reads of boards: tools that read stored values of the project, as a turn would run them, without a model. */
import type { PythonSandbox } from '@qpilot/python-sandbox';
import { InvalidInputError, UserError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import type { Settings } from '../../config/settings.ts';
import type { BoardQuery } from '../../domain/boards/board.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import { spanOf, type TimeRange } from '../../domain/values/time-range.ts';
import type { BoardReads } from '../../services/boards/board-contents.ts';
import type { CalibrationServices } from '../../services/calibration/calibration-services.ts';
import { createLoaders } from '../../services/loaders/loaders.ts';
import type { DataStore } from '../data/session-data.ts';
import type { Datasets } from '../data/datasets.ts';
import { prepareCall, type RunnableCall } from '../loop/prepare-call.ts';
import { runCall } from '../loop/tool-call.ts';
import type { TurnLive } from '../live/turn-live.ts';
import { createToolRegistry, type ToolRegistry } from '../tool-registry.ts';
import type { Tool, ToolContext } from '../tool.ts';
import { PAGE_READS } from './page-reads.ts';
import { withRange } from './ranged-arguments.ts';

export type BoardReadsDeps = {
  readonly tools: ToolRegistry;
  readonly services: CalibrationServices;
  readonly sandbox: PythonSandbox;
  readonly settings: Pick<Settings, 'limits'>;
  readonly logger: Logger;
  readonly now: () => Date;
};

/** Longest text that nobody reads here: a result is shown, not sent to a model. */
const RESULT_CHARACTERS = 1_000;

/**
 * Whether a board can hold calls of a tool: it depends on nothing but stored values of the project. What needs a conversation, such as
 * kept results, tables that somebody uploaded, and live values, which are rationed, cannot be read again.
 */
export const isForBoards = ({ rule, needs }: Tool): boolean =>
  rule === 'viewer: project' && needs === undefined;

export function createBoardReads(deps: BoardReadsDeps): BoardReads {
  const { services, now, logger } = deps;
  const toolTimeoutMs = deps.settings.limits.turn.toolSeconds * 1_000;
  const ofModels = deps.tools.names.flatMap((name) => deps.tools.get(name) ?? []);
  const tools = createToolRegistry([...ofModels.filter(isForBoards), ...PAGE_READS], () => []);
  const onBug = (error: unknown, tool: string): void =>
    logger.error({ err: error, tool }, 'a read of a board failed');

  const prepare = (query: BoardQuery): RunnableCall | { readonly refused: string } => {
    if (tools.get(query.tool) === null)
      return {
        refused: `a board cannot hold ${query.tool}: it needs more than stored values of the project; it can hold ${tools.names.join(', ')}`,
      };
    const call = { callId: 'board', name: query.tool, arguments: JSON.stringify(query.arguments) };
    const prepared = prepareCall(call, tools, onBug);
    return prepared.runnable ? prepared : { refused: prepared.error.message };
  };

  return {
    async complete(viewer, query, chipId) {
      const call = prepare(query);
      if ('refused' in call) throw InvalidInputError.at(['input', 'query'], call.refused);
      if (!('chip_id' in call.checked) || call.checked['chip_id']) return query;
      const chip = chipId ?? (await services.chips.defaultChip(viewer))?.chipId ?? null;
      return chip === null ? query : { ...query, arguments: { ...query.arguments, chip_id: chip } };
    },

    async read(viewer, query, { range, signal }) {
      const call = prepare(query);
      if ('refused' in call) return refusal(call.refused);
      const loaders = createLoaders(services, viewer);
      const context: Omit<ToolContext, 'signal'> = {
        ...deps,
        viewer,
        chipId: null,
        loaders,
        dataStore: KEEPS_NOTHING,
        datasets: NO_DATASETS,
        live: NO_LIVE,
        progress: () => {},
        callId: 'board',
      };
      try {
        const span = range && (await spanAt(range, call.checked, { services, viewer, now }));
        const ranged = span && withRange(call.tool.args, call.checked, span, now());
        const ending = await runCall(
          { ...call, checked: ranged ?? call.checked },
          context,
          {
            toolTimeoutMs,
            resultCharacters: RESULT_CHARACTERS,
            // A reader who leaves is no fault.
            onBug: (error, tool) => void (signal.aborted || onBug(error, tool)),
          },
          signal,
        );
        if (ending.result === null)
          return { error: ending.error ?? { code: 'TOOL_FAILED', message: ending.output, retryable: false } };
        const { visuals, formattedSummary, freshness } = ending.result;
        return { visuals, words: formattedSummary, freshness, span: ranged === null ? null : span };
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        return { error: { code: error.code, message: error.message, retryable: false } };
      }
    },
  };
}

const refusal = (message: string) => ({ error: { code: 'INVALID_INPUT', message, retryable: false } });

/** The times of a range on the chip of a call. @throws InvalidInputError where its cool-down has no known beginning */
async function spanAt(
  range: TimeRange,
  args: Record<string, unknown>,
  { services, viewer, now }: { services: CalibrationServices; viewer: Viewer; now: () => Date },
) {
  if (range.kind !== 'COOLDOWN') return spanOf(range, { now: now(), cooldownStart: null });
  const chipId = args['chip_id'];
  const chip = typeof chipId === 'string' ? await services.chips.get(viewer, chipId) : null;
  const cooldownStart = chip && (await services.cooldowns.startOf(viewer, chip));
  if (!cooldownStart) {
    const message = `no cool-down with a start time is known of ${chip?.chipId ?? 'this read'}; choose other times`;
    throw InvalidInputError.at(['range', 'kind'], message);
  }
  return spanOf(range, { now: now(), cooldownStart });
}

const KEEPS_NOTHING: DataStore = {
  put: async () => {},
  get: async () => null,
  list: async () => [],
  all: async () => '{}',
};

const NO_DATASETS: Datasets = {
  all: [],
  query: () => Promise.reject(InvalidInputError.at([], 'a board has no uploaded tables')),
};

const NO_LIVE: TurnLive = {
  isSetUp: false,
  isAskedFor: false,
  read: () => Promise.reject(new Error('boards never read the live source')),
  reportUsed: () => {},
  quota: async () => null,
};
