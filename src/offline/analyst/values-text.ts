/** The values of qubits that were asked for, and which qubit has the better one. */
import { z } from 'zod';
import type { AnswerWords } from './messages.ts';
import type { Found } from '../shared/tool-answers.ts';
import { extremes } from '../../domain/claims/ranked.ts';
import { endOf } from '../../domain/questions/order.ts';
import type { Ask, Quantity } from '../../domain/questions/query.ts';
import { formatQuantity } from '../../domain/text/display-text.ts';
import { headedList } from '../shared/text.ts';
import { isNeutral } from '../../domain/questions/vocabulary.ts';

/** The values of a qubit or a coupling, as tools answer them. */
export const partValues = z.object({
  label: z.string(),
  chip_id: z.string(),
  parameters: z.array(
    z.object({
      name: z.string(),
      title: z.string(),
      rating: z.string(),
      value: z.union([z.number(), z.string()]).nullable(),
      scale: z.number(),
      display_unit: z.string(),
    }),
  ),
});

/** A qubit's values, all where the question names none; `lines` are those of the summary. */
export function valuesText(
  { metrics }: Ask,
  { data }: Found,
  lines: readonly string[],
  words: AnswerWords,
): string {
  const read = partValues.safeParse(data);
  if (metrics.length === 0 || !read.success) return headedList(lines.map(words.toolLine));
  const { label, chip_id: chip, parameters } = read.data;
  const wanted = metrics.map((name) => {
    const title = parameters.find((parameter) => parameter.name === name)?.title;
    const line = lines.find((each) => title !== undefined && each.startsWith(`${title}: `));
    return line === undefined
      ? words.t('noValueOf', { name, label, names: parameters.map((parameter) => parameter.name) })
      : words.toolLine(line);
  });
  const heading = words.t('qubitOnChip', { label, chip });
  return headedList(wanted.length === 1 ? [`${heading} ${wanted.join('')}`] : [heading, ...wanted]);
}

/** Titles of those parameters that were asked for and that the qubit has. */
export function titlesOf({ metrics }: Ask, { data }: Found): readonly string[] {
  const read = partValues.safeParse(data);
  if (!read.success) return [];
  return read.data.parameters.filter(({ name }) => metrics.includes(name)).map(({ title }) => title);
}

const comparedQubits = z.object({
  parameters: z.array(
    z.object({
      name: z.string(),
      title: z.string(),
      scale: z.number().optional(),
      display_unit: z.string().optional(),
    }),
  ),
  qubits: z.array(z.looseObject({ label: z.string() })),
});
const comparedRows = z.object({
  parameter_name: z.string(),
  title: z.string(),
  rows: z.array(z.object({ label: z.string(), value: z.number(), unit: z.string() })),
});

/** One parameter of the parts that are held against each other, in display scale. */
type Compared = {
  readonly quantity: Quantity;
  readonly title: string;
  readonly unit: string;
  readonly rows: readonly { readonly label: string; readonly value: number }[];
};

function comparedIn(data: unknown): readonly Compared[] {
  const of = comparedRows.safeParse(data).data;
  if (of !== undefined) {
    const { parameter_name: name, title, rows } = of;
    const quantity = { metric: name.replace(/^1 - /u, ''), isError: name.startsWith('1 - ') };
    return [{ quantity, title, unit: rows[0]?.unit ?? '', rows }];
  }
  const { parameters = [], qubits = [] } = comparedQubits.safeParse(data).data ?? {};
  return parameters.map(({ name, title, scale = 1, display_unit: unit = '' }) => ({
    quantity: { metric: name, isError: false },
    title,
    unit,
    rows: qubits.flatMap(({ label, [name]: value }) =>
      typeof value === 'number' ? [{ label, value: value * scale }] : [],
    ),
  }));
}

/** Parts side by side, which of them is at the end that was asked for, and how far two are apart. */
export function comparisonText(
  { wantsWinner, metrics, order, unit }: Ask,
  { data }: Found,
  lines: readonly string[],
  words: AnswerWords,
): string {
  const all = metrics.length === 0 ? [] : comparedIn(data);
  const winners = wantsWinner ? all.flatMap((each) => winnerOf(each, order, words)) : [];
  const apart = unit === null ? all.slice(0, 2).flatMap((each) => differenceOf(each, words)) : [];
  return headedList([...winners, ...lines.map(words.toolLine), ...apart]);
}

function winnerOf(
  { quantity, title, rows }: Compared,
  order: Ask['order'],
  { t }: AnswerWords,
): readonly string[] {
  const ends = extremes(rows, ({ value }) => value);
  if (ends === null || rows.length < 2) return [];
  if (ends.low === ends.high) return [t('sameIn', { title })];
  const end = endOf(order, quantity);
  const labels = ends[end].map(({ label }) => label);
  const isEither = isNeutral(quantity.metric) && (order === 'best' || order === 'worst');
  return [
    t('endIn', {
      labels,
      count: labels.length,
      title,
      end,
      order: isEither ? end : order,
      isNeutral: isEither,
    }),
  ];
}

function differenceOf({ rows: [a, b, ...others], unit }: Compared, { t }: AnswerWords): readonly string[] {
  if (a === undefined || b === undefined || others.length > 0) return [];
  return [t('difference', { difference: formatQuantity(Math.abs(a.value - b.value), unit) })];
}
