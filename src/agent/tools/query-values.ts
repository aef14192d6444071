/** `query_values`: which qubits or couplings meet conditions on their current values, and figures over them. */
import { z } from 'zod';
import { firstWords, ranked, type Ranked } from '../../domain/claims/ranked.ts';
import { countOf } from '../../domain/text/display-text.ts';
import { freshnessOf } from '../../domain/values/freshness.ts';
import { statisticsOf } from '../../domain/values/statistics.ts';
import {
  COMPARISONS,
  conditionWords,
  limitIn,
  meetsAll,
  percentileOf,
  shownIn,
  type Condition,
  type Quantity,
} from '../../domain/values/value-conditions.ts';
import { rankingVisuals } from '../../domain/visual-rules/ranking.ts';
import { InvalidInputError } from '../../base/errors.ts';
import { defineTool } from '../tool.ts';
import { chipIdArg, chipOf, chipWords, storedSentence } from './chip-argument.ts';
import { askedParts, valueTable, type TablePart, type ValueTable } from './value-table.ts';
import { someOf } from './words.ts';

const DEFAULT_COUNT = 10;
/** Rows that the summary names; chart and table have as many as asked for. */
const NAMED_ROWS = 20;
const MOST_ROWS = 100;

/** A parameter, or the error of a fidelity. */
const quantityArg = z.string();

const FIGURES = ['mean', 'median', 'stdev', 'min', 'max', 'percentile'] as const;

const queryArgs = z.object({
  chip_id: chipIdArg,
  show: quantityArg,
  where: z.array(
    z.strictObject({
      quantity: quantityArg,
      is: z.enum(COMPARISONS),
      value: z.number(),
      unit: z.string().nullable().describe('null for the display unit'),
      than: quantityArg.nullable().describe('Against value times this'),
    }),
  ),
  join: z.enum(['and', 'or']),
  qids: z.array(z.string()).nullable().describe('Only these'),
  without: z.array(z.string()).nullable().describe('All but these'),
  order: z.enum(['highest', 'lowest']),
  count: z.number().int().min(1).max(MOST_ROWS).nullable().describe(`null for ${DEFAULT_COUNT}`),
  figure: z.enum(FIGURES).nullable(),
  percent: z.number().min(0).max(100).nullable().describe('For percentile'),
  unit: z.string().nullable().describe('To answer in'),
});
type Query = z.infer<typeof queryArgs>;

export const queryValues = defineTool({
  name: 'query_values',
  category: 'calibration',
  rule: 'viewer: project',
  reads: 'DIRECT',
  label: 'Querying values',
  title: { en: 'Values by conditions', ja: '条件による値の検索' },
  example: {
    show: 't1',
    where: [{ quantity: 't2_echo', is: 'above', value: 2, unit: null, than: 't1' }],
    join: 'and',
    order: 'lowest',
  },
  description:
    'Counts and lists the qubits, or couplings by coupling parameters, whose current values meet conditions, and a figure over them. A quantity is a parameter, or `1 - ` and a fidelity for its error.',
  args: queryArgs,
  describe: ({ chip_id, show, where }) =>
    `${show} of ${chipWords(chip_id)}${where.length > 0 ? `, ${countOf(where.length, 'condition')}` : ''}`,
  run: async (query, context) => {
    const chip = await chipOf(context, query.chip_id);
    const asked = [query.show, ...query.where.flatMap(({ quantity, than }) => [quantity, than ?? []].flat())];
    const table = await valueTable(context, chip, asked);
    const found = select(table, query);
    const { shown, rows, conditions } = found;
    const freshness = freshnessOf(
      'SNAPSHOT',
      rows.map(({ measuredAt }) => measuredAt),
      table.staleAfterSeconds,
    );
    const lines = wordsOf(found, table, query, chip.chipId);
    const listed = rows.slice(0, query.count ?? DEFAULT_COUNT);
    const words = conditions.map(conditionWords).join(` ${query.join} `);
    return {
      data: {
        chip_id: chip.chipId,
        of: table.entity.toLowerCase(),
        parts: found.parts,
        matching: found.matching,
        measured: rows.length,
        undecided: found.open.map(({ label }) => label),
        conditions: conditions.map(conditionWords),
        where: words,
        parameter_name: query.show,
        title: shown.title,
        display_unit: shown.unit,
        scale: 1,
        figures: { ...found.figures },
        rows: listed.map(({ qid, label, value, measuredAt }) => ({
          qid,
          label,
          value,
          unit: shown.unit,
          measured_at: measuredAt?.toISOString() ?? null,
        })),
      },
      formattedSummary: [...lines, ...(rows.length === 0 ? [] : [storedSentence(freshness)])].join('\n'),
      preview: (lines[0] ?? '').slice(0, 160),
      freshness,
      source: 'SNAPSHOT',
      visuals:
        listed.length === 0
          ? []
          : rankingVisuals({
              title: `${shown.title} on ${chip.chipId}${words === '' ? '' : `, ${words}`}`,
              metricTitle: shown.title,
              unit: shown.unit,
              entity: table.entity,
              rows: listed.map(({ label, value, measuredAt }) => ({
                label,
                value,
                error: null,
                rating: 'UNKNOWN',
                measuredAt,
              })),
            }),
    };
  },
});

type Row = TablePart & { readonly value: number };

type Selection = {
  readonly shown: Quantity;
  readonly conditions: readonly Condition[];
  /** How many were judged, and how many of them meet the conditions. */
  readonly parts: number;
  readonly matching: number;
  /** Those that meet the conditions and have a value to show, in the order that was asked for. */
  readonly rows: readonly Row[];
  readonly order: Ranked<Row>;
  /** Those whose missing values leave it open. */
  readonly open: readonly TablePart[];
  readonly disabled: number;
  readonly figures: Readonly<Record<(typeof FIGURES)[number], number | null>>;
};

function select(table: ValueTable, query: Query): Selection {
  const shown = table.quantityOf(query.show);
  const conditions = query.where.map((written): Condition => conditionOf(table, written));
  const parts = askedParts(table.parts, query);
  const judged = parts.map((part) => ({ part, verdict: meetsAll(part.values, conditions, query.join) }));
  const matching = judged.filter(({ verdict }) => verdict === true);
  const measured = matching.flatMap(({ part }): Row[] => {
    const value = part.values.get(shown.key) ?? null;
    return value === null ? [] : [{ ...part, value }];
  });
  const descending = query.order === 'highest';
  const order = ranked(measured, { order: query.order, descending, by: ({ value }) => value });
  const rows = order.rows.map(({ row }) => row);
  const numbers = rows.map(({ value }) => value).toSorted((a, b) => a - b);
  const percentile = query.percent === null ? null : percentileOf(numbers, query.percent);
  return {
    shown,
    conditions,
    parts: parts.length,
    matching: matching.length,
    rows,
    order,
    open: judged.flatMap(({ part, verdict }) =>
      verdict === null && !table.disabled.qids.has(part.qid) ? [part] : [],
    ),
    disabled: parts.filter(({ qid }) => table.disabled.qids.has(qid)).length,
    figures: { ...statisticsOf(numbers), percentile },
  };
}

/** @throws InvalidInputError for a unit that the quantity cannot be in. */
function conditionOf(table: ValueTable, { quantity: named, is, value, unit, than }: Query['where'][number]) {
  const quantity = table.quantityOf(named);
  if (than !== null) return { quantity, is, value, than: table.quantityOf(than) };
  const limit = limitIn(value, unit ?? '', quantity.unit);
  if (limit === null) {
    throw InvalidInputError.at(
      ['where', 'unit'],
      `${quantity.title} is in ${quantity.unit}, not in ${unit ?? ''}`,
    );
  }
  return { quantity, is, value: limit, than: null };
}

function wordsOf(
  found: Selection,
  { entity, disabled, past }: ValueTable,
  query: Query,
  chipId: string,
): readonly string[] {
  const { shown, conditions, parts, matching, rows, order, open, figures } = found;
  const noun = entity.toLowerCase();
  const list = listOf(found, query);
  const words = conditions.map(conditionWords).join(` ${query.join} `);
  const share = `${((100 * matching) / Math.max(1, parts)).toFixed(1)} %`;
  const counted = `${matching} of ${countOf(parts, noun)} on ${chipId} ${matching === 1 ? 'has' : 'have'} ${words} (${share})`;
  const name = figureWords(query);
  const value = query.figure === null ? null : figures[query.figure];
  const over = `${shown.title} of ${countOf(rows.length, noun)} on ${chipId}`;
  const without = conditions.length === 0 ? parts - rows.length - found.disabled : matching - rows.length;
  const off = found.disabled > 0 ? disabled.sentences : [];
  if (parts > 0 && open.length === parts) {
    return [`No ${noun} of ${chipId} has the values for ${words}.`];
  }
  const [only] = rows;
  if (conditions.length === 0 && parts === 1 && only !== undefined && query.figure === null) {
    return [`${shown.title} of ${only.label} on ${chipId}: ${shownIn(only.value, shown, query.unit)}.`];
  }
  if (conditions.length === 0 && rows.length === 0) {
    const of = query.qids?.length ? ` of ${query.qids.join(', ')}` : '';
    return [`There is no current value of ${shown.title}${of} on ${chipId}.`, ...off];
  }
  return [
    ...(conditions.length === 0
      ? []
      : [list === '' ? `${counted}.` : `${counted}; ${shown.title}, ${firstWords(order)}: ${list}.`]),
    ...(query.figure !== null
      ? [
          value === null
            ? `No ${name} of ${shown.title}: too few values.`
            : `${name} ${over}: ${shownIn(value, shown, query.unit)}.`,
        ]
      : conditions.length === 0
        ? [`${over}, ${firstWords(order)}: ${list}.`]
        : []),
    ...(open.length > 0 && conditions.length > 0
      ? [
          `Not counted, because a value is missing: ${countOf(open.length, noun)} (${someOf(open.map(({ label }) => label))}).`,
        ]
      : []),
    ...(without > 0 ? [`${countOf(without, noun)} without a value of ${shown.title}.`] : []),
    ...off,
    ...past,
  ];
}

/** `Q45 9.65 μs with T2 Echo 12.1 μs`: the shown quantity, then those of the conditions. */
function listOf({ shown, conditions, rows }: Selection, { count, unit }: Query): string {
  const named = conditions.flatMap(({ quantity, than }) => [quantity, than ?? []].flat());
  const others = new Map(
    named.flatMap((each) => (each.key === shown.key ? [] : [[each.key, each] as const])),
  );
  const listed = rows
    .slice(0, Math.min(count ?? DEFAULT_COUNT, NAMED_ROWS))
    .map(({ label, value, values }) =>
      [
        `${label} ${shownIn(value, shown, unit)}`,
        ...[...others.values()].map(
          (other) => `${other.title} ${shownIn(values.get(other.key) ?? null, other, null)}`,
        ),
      ].join(' with '),
    );
  const more = rows.length - listed.length;
  return `${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function figureWords({ figure, percent }: Query): string {
  switch (figure) {
    case 'percentile':
      return `Percentile ${percent ?? 0} of`;
    case 'mean':
      return 'Mean';
    case 'median':
      return 'Median';
    case 'stdev':
      return 'Sample standard deviation of';
    case 'min':
      return 'Lowest';
    case 'max':
      return 'Highest';
    case null:
      return '';
    default:
      return figure satisfies never;
  }
}
