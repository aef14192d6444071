/** `verify_against_live`: stored values beside live ones, with a verdict for each by a fixed rule. */
import { z } from 'zod';
import { formatDifference, formatMeasurement } from '../../domain/live/live-display.ts';
import type { LiveOutcome } from '../../domain/live/live-reading.ts';
import { VERDICTS, verify, type Verification, type VerifiedValue } from '../../domain/live/verification.ts';
import { countOf, formatTime } from '../../domain/text/display-text.ts';
import { freshnessOf, type Freshness } from '../../domain/values/freshness.ts';
import { strictestLimitSeconds } from '../../domain/values/metric.ts';
import { noDataNote } from '../../domain/visual-rules/table.ts';
import { verificationTable } from '../../domain/visual-rules/value-tables.ts';
import { defineTool, type ToolContext } from '../tool.ts';
import { chipIdArg, chipOf, chipWords, storedSentence } from './chip-argument.ts';
import {
  fallbackData,
  liveQidsArg,
  liveSentence,
  liveTargets,
  metricOf,
  outcomeSentences,
  type LiveTarget,
} from './live-targets.ts';
import { fieldsOf } from './row-data.ts';

/** Rows that the summary spells out; the table has all. */
const SHOWN_ROWS = 10;

const args = z.object({
  chip_id: chipIdArg,
  qids: liveQidsArg,
  param_names: z.array(z.string()).min(1).max(16),
});

/** The part of the data that concludes a dispute. */
export const verifiedData = z.object({
  fallback: z.object({ message: z.string() }).nullable(),
  verdicts: z.array(z.object({ verdict: z.enum(VERDICTS), count: z.number() })),
  rows: z.array(z.object({ qid: z.string(), parameter: z.string(), verdict: z.enum(VERDICTS) })),
});

export const verifyAgainstLive = defineTool({
  name: 'verify_against_live',
  category: 'calibration',
  rule: 'viewer: project',
  needs: 'live-source',
  reads: 'DIRECT',
  label: 'Verifying against the live source',
  title: { en: 'Check stored against live values', ja: '保存値と現在値の照合' },
  example: { qids: ['12'], param_names: ['t1'] },
  description:
    'Stored against live values: difference, standard deviations, verdict. Use it at once when the user doubts numbers, for exactly those.',
  args,
  describe: ({ chip_id, qids, param_names }) =>
    `${param_names.join(', ')} of ${qids?.length ? qids.join(', ') : 'all qubits'} on ${chipWords(chip_id)}`,
  run: async ({ chip_id, qids, param_names }, context) => {
    const chip = await chipOf(context, chip_id);
    const targets = await liveTargets(context, chip, qids);
    const outcome = await context.live.read(chip);
    if (outcome.type === 'values') context.live.reportUsed(outcome.reading, 'DISPUTED');
    const rows = rowsOf(context, targets, [...new Set(param_names)], outcome);
    const freshness = freshnessFor(context, targets, rows);
    const verified = {
      fallback: fallbackData(outcome),
      verdicts: countVerdicts(rows),
      rows: rows.map((row) => dataOf(row, targets)),
    } satisfies z.infer<typeof verifiedData>;
    const title = `Stored and live values of ${chip.chipId}`;
    return {
      data: {
        chip_id: chip.chipId,
        live_read_at: outcome.type === 'values' ? outcome.reading.readAt.toISOString() : null,
        ...verified,
      },
      formattedSummary: [
        ...outcomeSentences(outcome, chip.chipId),
        ...rowSentences(rows),
        freshness.source === 'LIVE' ? liveSentence(freshness) : storedSentence(freshness),
      ].join('\n'),
      preview:
        countVerdicts(rows)
          .map(({ verdict, count }) => `${count} ${verdict}`)
          .join(', ') || 'nothing to compare',
      freshness,
      source: freshness.source,
      visuals: [rows.length === 0 ? noDataNote(title, title) : verificationTable(title, rows)],
    };
  },
});

/** A row for each target and parameter that either side knows; all rows where neither knows any. */
function rowsOf(
  context: ToolContext,
  targets: readonly LiveTarget[],
  names: readonly string[],
  outcome: LiveOutcome,
): readonly Verification[] {
  const values = outcome.type === 'values' ? outcome.reading.values : [];
  const byKey = new Map(values.map((value) => [`${value.qid} ${value.parameter}`, value]));
  const rows = targets.flatMap((target) =>
    names.map((parameter) =>
      verify({
        qid: target.qid,
        label: target.label,
        parameter,
        metric: metricOf(context, target, parameter),
        stored: target.stored.find(({ name }) => name === parameter) ?? null,
        live: byKey.get(`${target.qid} ${parameter}`) ?? null,
      }),
    ),
  );
  const known = rows.filter(({ stored, live: liveSide }) => stored !== null || liveSide !== null);
  return known.length === 0 ? rows : known;
}

/** LIVE where at least one live value was used; what is only stored is never called live. */
function freshnessFor(
  context: ToolContext,
  targets: readonly LiveTarget[],
  rows: readonly Verification[],
): Freshness {
  const scopes = new Map(targets.map((target) => [target.qid, target]));
  const metrics = rows.map(({ qid, parameter }) => {
    const target = scopes.get(qid);
    return target === undefined ? null : metricOf(context, target, parameter);
  });
  const liveTimes = rows.flatMap(({ live: side }) => side?.at ?? []);
  const times = liveTimes.length > 0 ? liveTimes : rows.map(({ stored }) => stored?.at ?? null);
  return freshnessOf(liveTimes.length > 0 ? 'LIVE' : 'SNAPSHOT', times, strictestLimitSeconds(metrics));
}

function rowSentences(rows: readonly Verification[]): readonly string[] {
  const counts = countVerdicts(rows).map(({ verdict, count }) => `${count} ${verdict}`);
  const isMatch = ({ verdict }: Verification): boolean => verdict === 'MATCH';
  const named = [...rows.filter((row) => !isMatch(row)), ...rows.filter(isMatch)].slice(0, SHOWN_ROWS);
  const more = rows.length - named.length;
  return [
    `${countOf(rows.length, 'value')}: ${counts.join(', ') || 'none'}.`,
    ...named.map(rowSentence),
    ...(more > 0 ? [`${countOf(more, 'more row')} in the table.`] : []),
  ];
}

function rowSentence(row: Verification): string {
  const { label, title, displayUnit, stored, live } = row;
  const apart =
    row.difference === null
      ? ''
      : `, live minus stored ${formatDifference(row.difference, errorOf(row), displayUnit)}${row.sigma === null ? '' : ` (${row.sigma.toFixed(1)} standard deviations)`}`;
  return `${label} ${title}: stored ${sideWords(stored, displayUnit)}, live ${sideWords(live, displayUnit)}${apart}: ${row.verdict}, ${row.reason}.`;
}

/** Of both values together. */
const errorOf = ({ difference, sigma }: Verification): number | null =>
  difference === null || sigma === null || sigma === 0 ? null : difference / sigma;

function sideWords(side: VerifiedValue | null, unit: string): string {
  if (side === null) return 'none';
  return `${formatMeasurement(side.value, side.error, unit)} (${side.at === null ? 'time unknown' : formatTime(side.at)})`;
}

const countVerdicts = (rows: readonly Verification[]) =>
  VERDICTS.flatMap((verdict) => {
    const count = rows.filter((row) => row.verdict === verdict).length;
    return count === 0 ? [] : [{ verdict, count }];
  });

/** In the scale of its display unit, with the origin of the stored value. */
function dataOf(row: Verification, targets: readonly LiveTarget[]) {
  const stored = targets
    .find(({ qid }) => qid === row.qid)
    ?.stored.find(({ name }) => name === row.parameter);
  const side = (value: VerifiedValue | null) => value && fieldsOf(value, 'value', 'error', 'at');
  return {
    qid: row.qid,
    label: row.label,
    parameter: row.parameter,
    unit: row.displayUnit,
    stored: side(row.stored),
    live: side(row.live),
    difference: row.difference,
    sigma: row.sigma,
    verdict: row.verdict,
    reason: row.reason,
    execution_id: stored?.executionId ?? null,
    task_id: stored?.taskId ?? null,
  };
}
