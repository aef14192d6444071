/** The values of qubits that were asked for, and which qubit has the better one. */
import { z } from 'zod';
import type { AnswerWords } from './messages.ts';
import type { Found } from '../shared/tool-answers.ts';
import type { Ask } from '../../domain/questions/query.ts';
import { formatQuantity } from '../../domain/text/display-text.ts';
import { headedList } from '../shared/text.ts';
import { LOWER_IS_BETTER, NEUTRAL_METRICS } from '../../domain/questions/vocabulary.ts';

const qubitValues = z.object({
  label: z.string(),
  chip_id: z.string(),
  parameters: z.array(z.object({ name: z.string(), title: z.string() })),
});

/** A qubit's values, all where the question names none; `lines` are those of the summary. */
export function valuesText(
  { metrics }: Ask,
  { data }: Found,
  lines: readonly string[],
  words: AnswerWords,
): string {
  const read = qubitValues.safeParse(data);
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
  const read = qubitValues.safeParse(data);
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

/** How far two qubits are apart in each of a few parameters. */
function differences(
  { parameters, qubits }: z.infer<typeof comparedQubits>,
  { t }: AnswerWords,
): readonly string[] {
  const [a, b, ...others] = qubits;
  if (a === undefined || b === undefined || others.length > 0) return [];
  return parameters.slice(0, 2).flatMap(({ name, scale = 1, display_unit: unit = '' }) => {
    const [x, y] = [a[name], b[name]];
    if (typeof x !== 'number' || typeof y !== 'number') return [];
    return [t('difference', { difference: formatQuantity(Math.abs(x - y) * scale, unit) })];
  });
}

/** Values of a query side by side, and the difference of two. */
export function differenceOfRows(
  data: unknown,
  unitAsked: string | null,
  { t }: AnswerWords,
): readonly string[] {
  const { rows = [] } = valueRows.safeParse(data).data ?? {};
  const [a, b, ...others] = rows;
  if (a === undefined || b === undefined || others.length > 0 || unitAsked !== null) return [];
  return [t('difference', { difference: formatQuantity(Math.abs(a.value - b.value), a.unit) })];
}

const valueRows = z.object({ rows: z.array(z.object({ value: z.number(), unit: z.string() })) });

/** Qubits side by side, and, where the question wants it, which of them is best in each parameter. */
export function comparisonText(
  { wantsWinner, metrics }: Ask,
  { data }: Found,
  lines: readonly string[],
  words: AnswerWords,
): string {
  const shown = lines.map(words.toolLine);
  const read = comparedQubits.safeParse(data);
  if (!wantsWinner || metrics.length === 0 || !read.success) return headedList(shown);
  const winners = read.data.parameters.flatMap(({ name, title }) => {
    const ends = read.data.qubits.flatMap((qubit) => {
      const value = qubit[name];
      return typeof value === 'number' ? [{ label: qubit.label, value }] : [];
    });
    const [first, second] = ends.toSorted((a, b) => b.value - a.value);
    if (first === undefined || second === undefined) return [];
    if (first.value === second.value) return [words.t('sameIn', { title })];
    if (NEUTRAL_METRICS.has(name)) return [words.t('highestOfNeutral', { label: first.label, title })];
    const best = LOWER_IS_BETTER.has(name) ? ends.toSorted((a, b) => a.value - b.value)[0] : first;
    const end = LOWER_IS_BETTER.has(name) ? 'lowest' : 'highest';
    return [words.t('bestIn', { label: best?.label ?? first.label, title, end })];
  });
  return headedList([...winners, ...shown, ...differences(read.data, words)]);
}
