/** `compare_snapshots`: the whole chip, or some of it, at one point in time against a later one. */
import { z } from 'zod';
import {
  SIGNIFICANT_SIGMA,
  type ChipChange,
  type ChipChangeKind,
  type ChipComparison,
  type ParameterShift,
} from '../../domain/chip/chip-comparison.ts';
import { ranked, firstWords, front, tiedSentences } from '../../domain/claims/ranked.ts';
import { countOf, formatDifference, formatQuantity } from '../../domain/text/display-text.ts';
import { freshnessOf } from '../../domain/values/freshness.ts';
import { changesTable, spanWords } from '../../domain/visual-rules/chip-comparison.ts';
import type { JsonObject } from '../../domain/visuals.ts';
import { InvalidInputError } from '../../base/errors.ts';
import { dataKey, summariseStored } from '../data/stored-result.ts';
import { defineTool } from '../tool.ts';
import { chipIdArg, chipOf, chipWords, SESSION_DATA, sessionChipOf } from './chip-argument.ts';
import { pointOf } from './time-argument.ts';
import { someOf } from './words.ts';

/** Parameters that the summary spells out, and moves that it names for each. */
const SHOWN_PARAMETERS = 5;
const SHOWN_MOVES = 3;

export const compareSnapshots = defineTool({
  name: 'compare_snapshots',
  category: 'timeseries',
  rule: 'viewer: project',
  reads: 'STORED',
  label: 'Comparing two points in time',
  title: { en: 'Compare a chip at two points in time', ja: '二時点の比較' },
  example: async ({ services, chip }) => {
    const versions = await services.lineage.versions(chip, { parameter: 't1', qids: ['12'], lastN: 3 });
    return { from: versions.get('12')?.at(-1)?.validFrom.toISOString() ?? '', param_names: ['t1'] };
  },
  description:
    'What changed on a chip between two points in time: new, lost, disabled and enabled parts, and moved values.',
  args: z.object({
    chip_id: chipIdArg,
    from: z.string().describe('2026-02-24T00:00:00Z, or a date for its end'),
    to: z.string().nullable().describe('null for now'),
    param_names: z.array(z.string()).nullable(),
    qids: z.array(z.string()).nullable(),
  }),
  describe: ({ chip_id, from, to }) => `${chipWords(chip_id)}, ${from} against ${to || 'now'}`,
  conflictKey: () => SESSION_DATA,
  run: async ({ chip_id, from, to, param_names, qids }, context) => {
    const chip = await chipOf(context, chip_id);
    const clock = { timeZone: context.services.timeZone, now: context.now() };
    const start = pointOf('from', from, clock);
    if (start === null) throw InvalidInputError.at(['from'], 'give the earlier time');
    const comparison = await context.services.chipComparisons.compare(chip, {
      from: start,
      to: pointOf('to', to, clock),
      parameters: param_names,
      qids,
    });
    const key = dataKey({
      name: 'changes',
      chipId: chip.chipId,
      sessionChipId: sessionChipOf(context, chip_id, chip),
      otherArguments: { from, to: to || null, param_names, qids },
    });
    const freshness = freshnessOf(
      'SNAPSHOT',
      comparison.changes.map(({ after }) => after?.calibratedAt ?? null),
      null,
    );
    const data = dataOf(chip.chipId, comparison);
    await context.dataStore.put(key, JSON.stringify(data), freshness);
    return {
      data,
      modelData: summariseStored(data, key),
      formattedSummary: wordsOf(chip.chipId, comparison),
      preview: `${chip.chipId}: ${countOf(comparison.changes.length, 'change')}, ${spanWords(comparison)}`,
      freshness,
      source: 'SNAPSHOT',
      visuals: [changesTable(chip.chipId, comparison)],
    };
  },
});

function dataOf(chipId: string, { from, to, partsBefore, partsAfter, ...rest }: ChipComparison): JsonObject {
  return {
    chip_id: chipId,
    from: from.toISOString(),
    to: to.toISOString(),
    parts_before: partsBefore,
    parts_after: partsAfter,
    parameters: rest.parameters.map(
      ({ medianBefore, medianAfter, meanBefore, meanAfter, notRemeasured, ...shift }) => ({
        ...shift,
        not_remeasured: notRemeasured,
        median_before: medianBefore,
        median_after: medianAfter,
        mean_before: meanBefore,
        mean_after: meanAfter,
      }),
    ),
    changes: rest.changes.map(
      ({ kind, qid, label, parameter, unit, before, after, difference, sigma, better }) => ({
        change: kind.toLowerCase(),
        part: label,
        qid,
        parameter,
        before: before?.displayValue ?? null,
        after: after?.displayValue ?? null,
        unit,
        difference,
        sigma,
        better,
      }),
    ),
  };
}

function wordsOf(chipId: string, comparison: ChipComparison): string {
  const { partsBefore, partsAfter, parameters, changes } = comparison;
  const shifts = parameters.filter(({ compared }) => compared > 0);
  const more = shifts.length - SHOWN_PARAMETERS;
  return [
    `${chipId}, ${spanWords(comparison)}: ${countOf(partsBefore, 'part')} with values before, ${partsAfter} after.`,
    ...PART_CHANGES.flatMap(([kind, words]) => partWords(kind, words, changes)),
    ...shifts.slice(0, SHOWN_PARAMETERS).map((shift) => shiftWords(shift, changes)),
    ...(more > 0 ? [`${countOf(more, 'more parameter')} in the table.`] : []),
  ].join('\n');
}

const PART_CHANGES: readonly (readonly [ChipChangeKind, string])[] = [
  ['APPEARED', 'New'],
  ['DISAPPEARED', 'No longer there'],
  // no claim: compared at both times
  ['DISABLED', 'Disabled since'],
  ['ENABLED', 'Enabled again'],
];

function partWords(kind: ChipChangeKind, words: string, changes: readonly ChipChange[]): readonly string[] {
  const own = changes.filter((change) => change.kind === kind);
  const lines = [...Map.groupBy(own, ({ title }) => title)].map(([title, each]) => {
    const labels = someOf(each.map(({ label }) => label));
    return title === null ? `${each.length} (${labels})` : `${title} of ${each.length} (${labels})`;
  });
  return lines.length === 0 ? [] : [`${words}: ${lines.join('; ')}.`];
}

function shiftWords(shift: ParameterShift, changes: readonly ChipChange[]): string {
  const { parameter, scope, title, unit, compared, moved, notRemeasured, better, worse, significant } = shift;
  const moves = ranked(
    changes.filter((change) => change.parameter === parameter && change.scope === scope),
    {
      order: 'largest move',
      descending: true,
      by: ({ difference }) => (difference === null ? Number.NaN : Math.abs(difference)),
    },
  );
  const counts = [
    `${moved} of ${compared} differ`,
    ...(better + worse > 0 ? [`${better} better and ${worse} worse`] : []),
    ...(significant === null ? [] : [`${significant} by more than ${SIGNIFICANT_SIGMA} sigma`]),
    ...(notRemeasured > 0 ? [`${notRemeasured} not measured again`] : []),
  ];
  const medians = `median ${formatQuantity(shift.medianBefore, unit)} before, ${formatQuantity(shift.medianAfter, unit)} after`;
  const { shown, tiedBehind } = front(moves, SHOWN_MOVES);
  const named = shown.map(({ row }) => moveWords(row)).join(', ');
  const largest = named === '' ? '' : `; ${firstWords(moves)}: ${named}`;
  return [`${title}: ${counts.join(', ')}; ${medians}${largest}.`, ...tiedSentences(tiedBehind)].join(' ');
}

function moveWords({ label, unit, before, after, difference }: ChipChange): string {
  const show = (value: number | null | undefined) => formatQuantity(value ?? null, unit ?? '');
  return `${label} ${formatDifference(difference, unit ?? '')} (${show(before?.displayValue)} before, ${show(after?.displayValue)} after)`;
}
