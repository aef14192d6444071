/** Says of named qubits what of them is unusual: against the chip, against thresholds, over time, and by what people noted. */
import { z } from 'zod';
import type { AnswerWords } from './answer-words.ts';
import { isFound, keyOf, type Answers, type Found, type PlannedCall } from './answers.ts';
import type { Ask } from './ask.ts';
import { isFallback, isLive } from './live-lines.ts';
import { unusualCalls, type UnusualCalls } from './plan.ts';
import { linesIn, listed } from './text.ts';
import type { Usual, Verdict } from './told.ts';

const qubitValues = z.object({
  label: z.string(),
  chip_id: z.string(),
  parameters: z.array(z.object({ name: z.string(), title: z.string(), rating: z.string() })),
});
const chipOutliers = z.object({
  outliers: z.array(z.object({ qid: z.string(), parameter: z.string(), score: z.number() })),
});
const humanNotes = z.object({ human_notes: z.array(z.unknown()) });

type Qubit = z.infer<typeof qubitValues> & {
  readonly qid: string;
  /** By name of its parameter, the tool's line of each value that was asked about. */
  readonly lines: ReadonlyMap<string, string>;
};

/** A part for each qubit whose values were found; none where the question names no qubits or more than a few. */
export function unusualTexts(ask: Ask, answers: Answers, words: AnswerWords): readonly string[] {
  const calls = unusualCalls(ask);
  if (calls === null) return [];
  const found = (call: PlannedCall): Found | null => {
    const answer = answers.get(keyOf(call));
    return answer !== undefined && isFound(answer) ? answer : null;
  };
  return calls.qubits.flatMap(({ qid, values, notes }) => {
    const answer = found(values);
    const qubit = answer && readQubit(qid, answer, ask.metrics);
    return qubit ? [qubitText(qubit, calls, { found, notes, words })] : [];
  });
}

function readQubit(qid: string, { data, formattedSummary }: Found, metrics: readonly string[]): Qubit | null {
  const read = qubitValues.safeParse(data).data;
  if (read === undefined) return null;
  const told = linesIn(formattedSummary).filter((line) => !isLive(line) && !isFallback(line));
  const asked = read.parameters.filter(({ name }) => metrics.length === 0 || metrics.includes(name));
  const lines = asked.flatMap(({ name, title }) => {
    const line = told.find((each) => each.startsWith(`${title}: `));
    return line === undefined ? [] : [[name, line] as const];
  });
  return { ...read, qid, lines: new Map(lines) };
}

type Source = {
  readonly found: (call: PlannedCall) => Found | null;
  readonly notes: PlannedCall;
  readonly words: AnswerWords;
};

function qubitText(qubit: Qubit, calls: UnusualCalls, { found, notes, words }: Source): string {
  const { label, chip_id: chipId, parameters, lines } = qubit;
  const searched = calls.outliers.flatMap((call) => found(call) ?? []);
  const apart = outlierItems(qubit, searched, words);
  const history = found(calls.course);
  const title = parameters.find(({ name }) => name === calls.courseOf)?.title ?? calls.courseOf;
  const course = history === null ? [] : worseningOf(label, history);
  const weak = parameters.filter(({ name, rating }) => lines.has(name) && /^(?:FAIR|BAD)$/u.test(rating));
  const noted = found(notes);
  const hasNotes = noted !== null && (humanNotes.safeParse(noted.data).data?.human_notes.length ?? 0) > 0;

  const items = [
    ...apart.values(),
    ...course.map((line) => `${title} – ${words.toolLine(line)}`),
    ...weak.flatMap(({ name }) => (apart.has(name) ? [] : words.toolLine(lines.get(name) ?? ''))),
  ];
  const verdict: Verdict = apart.size + course.length > 0 ? 'unusual' : weak.length > 0 ? 'weak' : 'nothing';
  const usual: readonly Usual[] = [
    ...(searched.length > 0 && apart.size === 0 ? (['values'] as const) : []),
    ...(weak.length === 0 && lines.size > 0 ? (['ratings'] as const) : []),
    ...(history !== null && course.length === 0 ? (['course'] as const) : []),
    ...(noted !== null && !hasNotes ? (['notes'] as const) : []),
  ];
  return [
    listed([words.verdict(verdict, label, chipId), ...items]),
    ...(usual.length > 0 ? [words.asUsual(usual, title)] : []),
    ...(hasNotes ? [listed(linesIn(noted.formattedSummary).map(words.toolLine))] : []),
  ].join('\n\n');
}

/** By parameter, the values of a qubit that stand apart from those of the chip. */
function outlierItems(
  { qid, lines }: Qubit,
  searched: readonly Found[],
  words: AnswerWords,
): ReadonlyMap<string, string> {
  const all = searched.flatMap(({ data }) => chipOutliers.safeParse(data).data?.outliers ?? []);
  const own = all.filter((outlier) => outlier.qid === qid && lines.has(outlier.parameter));
  return new Map(
    own.map(({ parameter, score }) => [
      parameter,
      `${words.toolLine(lines.get(parameter) ?? '')} ${words.standsApart(Math.abs(score).toFixed(1), score < 0)}`,
    ]),
  );
}

/** A series in the words of its tool, which goes the wrong way: newest, least and greatest value, and which way. */
const WORSENING =
  /: newest (-?[\d.]+).*?, (-?[\d.]+)[^,]* to (-?[\d.]+).* over \d+ results, (rising|falling) \(worse\)/u;

/** The line of its history, where that goes the wrong way and the newest value is the worst; half of all series drift. */
const worseningOf = (label: string, { formattedSummary }: Found): readonly string[] =>
  linesIn(formattedSummary).filter((line) => {
    const [, newest, least, greatest, way] = WORSENING.exec(line) ?? [];
    return (
      line.startsWith(`${label}: `) && way !== undefined && newest === (way === 'falling' ? least : greatest)
    );
  });
