/**
 * `get_live_parameters`: current values of the control system; stored values, marked as such, where it cannot be
 * read.
 */
import { z } from 'zod';
import { formatMeasurement } from '../../domain/live/live-display.ts';
import type { LiveOutcome, LiveReading, LiveState } from '../../domain/live/live-reading.ts';
import { countOf, formatQuantity, formatTime } from '../../domain/text/display-text.ts';
import { freshnessOf } from '../../domain/values/freshness.ts';
import { strictestLimitSeconds } from '../../domain/values/metric.ts';
import { noDataNote } from '../../domain/visual-rules/table.ts';
import type { JsonObject } from '../../domain/visuals.ts';
import { parameterSentences } from './live-words.ts';
import { defineTool } from '../tool.ts';
import { chipIdArg, chipOf, chipWords, storedSentence } from './chip-argument.ts';
import { liveRowData, liveRows, liveTable, storedRows, type LiveRow } from './live-rows.ts';
import {
  fallbackData,
  liveQidsArg,
  liveSentence,
  liveTargets,
  outcomeSentences,
  type LiveTarget,
} from './live-targets.ts';
import { fieldsOf } from './row-data.ts';

/** Values that the summary spells out; more live ones are summarised by parameter. */
const SHOWN_VALUES = 12;
/** Values that a model is sent; the record of the call has all. */
const MODEL_VALUES = 48;
/** Rows that are kept of an answer, however much the source sends. */
const MAX_ROWS = 5_000;

const args = z.object({
  chip_id: chipIdArg,
  qids: liveQidsArg,
  param_names: z.array(z.string()).max(16).nullable().describe('null for all'),
});

export const getLiveParameters = defineTool({
  name: 'get_live_parameters',
  category: 'calibration',
  rule: 'viewer: project',
  needs: 'live-source',
  reads: 'DIRECT',
  label: 'Asking the live source',
  title: { en: 'Values from the instruments', ja: '装置からの現在値の取得' },
  example: { qids: ['12'], param_names: ['t1'] },
  description:
    'What the control system says now: its values, what runs and waits there. Old stored values get live ones without it.',
  args,
  describe: ({ chip_id, qids, param_names }) =>
    `live ${param_names?.length ? param_names.join(', ') : 'values'} of ${qids?.length ? qids.join(', ') : 'all qubits'} on ${chipWords(chip_id)}`,
  run: async ({ chip_id, qids, param_names }, context) => {
    const chip = await chipOf(context, chip_id);
    const targets = await liveTargets(context, chip, qids);
    const outcome = await context.live.read(chip);
    const reading = outcome.type === 'values' ? outcome.reading : null;
    const names = param_names?.length ? param_names : null;
    const rows = targets
      .flatMap((target) =>
        reading === null ? storedRows(context, target) : liveRows(context, target, reading),
      )
      .filter(({ parameter }) => names === null || names.includes(parameter))
      .slice(0, MAX_ROWS);
    if (reading !== null && context.live.isAskedFor) context.live.reportUsed(reading, 'USER_REQUESTED');
    const source = reading === null ? 'SNAPSHOT' : 'LIVE';
    const freshness = freshnessOf(
      source,
      rows.map(({ at }) => at),
      strictestLimitSeconds(rows.map(({ metric }) => metric)),
    );
    const kind = reading === null ? 'Stored' : 'Live';
    const title = `${kind} values of ${chip.chipId}`;
    const values = rows.map(liveRowData);
    const data = {
      chip_id: chip.chipId,
      fallback: fallbackData(outcome),
      ...readingData(reading),
      calls_left: await context.live.quota(chip),
      count: values.length,
      values,
    };
    return {
      data,
      modelData: { ...data, values: values.slice(0, MODEL_VALUES) },
      formattedSummary: [
        ...outcomeSentences(outcome, chip.chipId),
        ...stateSentences(reading?.state ?? null),
        ...(reading !== null && rows.length > SHOWN_VALUES ? parameterSentences(rows) : valueSentences(rows)),
        ...missingSentences(targets, rows, names ?? [], outcome),
        source === 'LIVE' ? liveSentence(freshness) : storedSentence(freshness),
      ].join('\n'),
      preview: `${countOf(rows.length, `${kind.toLowerCase()} value`)}${reading === null ? '; the live source was not used' : ''}`,
      freshness,
      source,
      visuals: [rows.length === 0 ? noDataNote(title, title) : liveTable(title, rows)],
    };
  },
});

function readingData(reading: LiveReading | null): JsonObject {
  if (reading === null) return { read_at: null, source_at: null, state: null, left_out: [] };
  const { readAt, at, state, leftOut } = reading;
  return {
    read_at: readAt.toISOString(),
    source_at: at.toISOString(),
    state: state && fieldsOf(state, 'running', 'queue', 'fridgeTemperatureMk'),
    left_out: leftOut,
  };
}

function stateSentences(state: LiveState | null): readonly string[] {
  if (state === null) return [];
  const { running, queue, fridgeTemperatureMk } = state;
  const words = [
    ...(running === null ? [] : [`running ${JSON.stringify(running)}`]),
    ...(queue === null ? [] : [`${countOf(queue, 'job')} waiting`]),
    ...(fridgeTemperatureMk === null ? [] : [`fridge at ${formatQuantity(fridgeTemperatureMk, 'mK')}`]),
  ];
  return words.length === 0 ? [] : [`The control system says: ${words.join(', ')}.`];
}

function valueSentences(rows: readonly LiveRow[]): readonly string[] {
  const named = rows.slice(0, SHOWN_VALUES).map(({ label, title, value, error, unit, at, unusable }) => {
    const doubt = unusable === null ? '' : `, no measurement: ${unusable}`;
    return `${label} ${title}: ${formatMeasurement(value, error, unit)} (${at === null ? 'time unknown' : formatTime(at)}${doubt}).`;
  });
  const more = rows.length - named.length;
  return more > 0 ? [...named, `${countOf(more, 'more value')} in the table.`] : named;
}

/** The requested names that do not exist. */
function missingSentences(
  targets: readonly LiveTarget[],
  rows: readonly LiveRow[],
  names: readonly string[],
  { type }: LiveOutcome,
): readonly string[] {
  const found = new Set(rows.map(({ qid, parameter }) => `${qid} ${parameter}`));
  return names.flatMap((name) => {
    const missing = targets.filter(({ qid }) => !found.has(`${qid} ${name}`));
    if (missing.length === 0) return [];
    const who =
      missing.length === 1 ? (missing[0]?.label ?? '') : `${missing.length} of ${targets.length} asked for`;
    return [`No ${type === 'values' ? 'live' : 'stored'} value of ${name}: ${who}.`];
  });
}
