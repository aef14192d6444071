/**
 * Adds live values to a tool's result where the stored ones are stale, missing, or not what the user asked for. The
 * rule is code, so that it depends on no model, and it does not know which tool it serves. Stored values keep their
 * own age and are never called live.
 */
import type { LiveCause } from '../../domain/conversation/session-event.ts';
import type { LiveReading } from '../../domain/live/live-reading.ts';
import { freshnessOf, isStale } from '../../domain/values/freshness.ts';
import { strictestLimitSeconds } from '../../domain/values/metric.ts';
import type { ToolContext, ToolResult } from '../tool.ts';
import { liveRowData, liveRows, liveTable, type LiveRow } from './live-rows.ts';
import { fallbackData, outcomeSentences } from './live-targets.ts';
import type { CurrentValue, CurrentValues } from '../live/current-values.ts';
import { besideSentences } from './live-words.ts';

/** Live rows that a model is sent of one result; the record of the call and the table have all. */
const MODEL_ROWS = 16;

type Context = Omit<ToolContext, 'signal'>;

/** The result with live values added, or with why there are none; the same result where none are needed. */
export async function freshen(
  result: ToolResult,
  current: CurrentValues,
  context: Context,
): Promise<ToolResult> {
  if (!context.live.isSetUp) return result;
  const needed = neededValues(current, context);
  if (needed === null) return result;
  const { chip } = current;
  const outcome = await context.live.read(chip);
  if (outcome.type !== 'values') {
    const sentences = outcomeSentences(outcome, chip.chipId);
    return {
      ...withData(result, { cause: needed.cause, fallback: fallbackData(outcome), values: [] }),
      formattedSummary: [...sentences, result.formattedSummary].join('\n'),
    };
  }
  const { reading } = outcome;
  const rows = rowsOf(needed, current, reading, context);
  if (rows.length > 0) context.live.reportUsed(reading, needed.cause);
  return {
    ...withRows(result, needed.cause, reading, rows),
    formattedSummary: [
      result.formattedSummary,
      ...besideSentences(needed.cause, reading, rows),
      ...outcomeSentences(outcome, chip.chipId),
    ].join('\n'),
  };
}

/** The values that live ones are needed of, and why; null where the stored ones do. */
type Needed = { readonly cause: LiveCause; readonly values: readonly CurrentValue[] };

function neededValues({ scope, values }: CurrentValues, { live, services, now }: Context): Needed | null {
  if (live.isAskedFor) return values.length === 0 ? null : { cause: 'USER_REQUESTED', values };
  const time = now();
  const isOld = ({ parameter, measuredAt }: CurrentValue): boolean => {
    const limitSeconds = strictestLimitSeconds([services.metrics.find(parameter, scope)]);
    return isStale(freshnessOf('SNAPSHOT', [measuredAt], limitSeconds), time);
  };
  const old = values.filter((value) => value.isStored && isOld(value));
  const missing = values.filter(({ isStored }) => !isStored);
  if (old.length + missing.length === 0) return null;
  return { cause: old.length > 0 ? 'STALE' : 'NOT_STORED', values: [...old, ...missing] };
}

/**
 * Live values of what is needed, in its order. Without being asked for, only those that are newer than the stored
 * ones.
 */
function rowsOf(
  { cause, values }: Needed,
  { scope }: CurrentValues,
  reading: LiveReading,
  context: Context,
): readonly LiveRow[] {
  const isNewer = ({ isStored, measuredAt }: CurrentValue, { at }: LiveRow): boolean =>
    cause === 'USER_REQUESTED' || !isStored || measuredAt === null || (at !== null && at > measuredAt);
  return [...Map.groupBy(values, ({ qid }) => qid)].flatMap(([qid, ofOne]) => {
    const byName = new Map(ofOne.map((value) => [value.parameter, value]));
    const target = { qid, label: ofOne[0]?.label ?? qid, scope };
    return liveRows(context, target, reading).filter((row) => {
      const value = byName.get(row.parameter);
      return value !== undefined && isNewer(value, row);
    });
  });
}

function withRows(
  result: ToolResult,
  cause: LiveCause,
  reading: LiveReading,
  rows: readonly LiveRow[],
): ToolResult {
  const added = { cause, read_at: reading.readAt.toISOString(), fallback: null, rows: rows.length };
  const values = rows.map(liveRowData);
  const extended = withData(result, { ...added, values }, { ...added, values: values.slice(0, MODEL_ROWS) });
  if (rows.length === 0) return extended;
  const limitSeconds = strictestLimitSeconds(rows.map(({ metric }) => metric));
  return {
    ...extended,
    liveFreshness: freshnessOf(
      'LIVE',
      rows.map(({ at }) => at),
      limitSeconds,
    ),
    preview: `${result.preview}; ${rows.length} live`,
    visuals: [...result.visuals, liveTable(`Live values of ${reading.chipId}`, rows)],
  };
}

/** Adds `live` to the record of a result and to its form for the model. */
function withData(result: ToolResult, live: object, modelLive = live): ToolResult {
  const data = { ...result.data, live };
  const modelData = { ...(result.modelData ?? result.data), live: modelLive };
  return { ...result, data, modelData };
}
