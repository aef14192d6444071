/**
 * What is unusual about named qubits: against the chip, against thresholds, over time, and by notes that people left.
 */
import { z } from 'zod';
import type { AnswerWords } from './messages.ts';
import { foundIn, type Answers, type Found, type PlannedCall } from '../shared/tool-answers.ts';
import type { Ask } from '../../domain/questions/query.ts';
import { isFallback, isLive } from './live-lines.ts';
import { unusualCalls, type UnusualCalls } from './plan.ts';
import { linesIn, headedList } from '../shared/text.ts';
import { partValues } from './values-text.ts';

const chipOutliers = z.object({
  outliers: z.array(z.object({ qid: z.string(), parameter: z.string(), score: z.number() })),
});
/** Counts of people's notes. */
const humanNotes = z.object({ human_notes: z.object({ total: z.number() }) });

type Qubit = z.infer<typeof partValues> & {
  readonly qid: string;
  /** By name of its parameter, the tool's line of each value that was asked about. */
  readonly lines: ReadonlyMap<string, string>;
};

/** A part for each qubit whose values were found; none where the question names no qubits or more than a few. */
export function unusualTexts(ask: Ask, answers: Answers, words: AnswerWords): readonly string[] {
  const calls = unusualCalls(ask);
  if (calls === null) return [];
  const found = (call: PlannedCall): Found | null => foundIn(answers, call);
  return calls.qubits.flatMap(({ qid, values, notes }) => {
    const answer = found(values);
    const qubit = answer && readQubit(qid, answer, ask.metrics);
    return qubit ? [qubitText(qubit, calls, { found, notes, words })] : [];
  });
}

function readQubit(qid: string, { data, formattedSummary }: Found, metrics: readonly string[]): Qubit | null {
  const read = partValues.safeParse(data).data;
  if (read === undefined) return null;
  const shown = linesIn(formattedSummary).filter((line) => !isLive(line) && !isFallback(line));
  const asked = read.parameters.filter(({ name }) => metrics.length === 0 || metrics.includes(name));
  const lines = asked.flatMap(({ name, title }) => {
    const line = shown.find((each) => each.startsWith(`${title}: `));
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
  const { label, chip_id: chip, parameters, lines } = qubit;
  const searched = calls.outliers.flatMap((call) => found(call) ?? []);
  const apart = outlierItems(qubit, searched, words);
  const history = found(calls.course);
  const title = parameters.find(({ name }) => name === calls.courseOf)?.title ?? calls.courseOf;
  const course = history === null ? [] : worseningOf(label, history);
  const weak = parameters.filter(({ name, rating }) => lines.has(name) && /^(?:FAIR|BAD)$/u.test(rating));
  const noted = found(notes);
  const hasNotes = noted !== null && (humanNotes.safeParse(noted.data).data?.human_notes.total ?? 0) > 0;
  const noteLines = noted === null ? [] : linesIn(noted.formattedSummary).map(words.toolLine);
  const items = [
    ...apart.values(),
    ...course.map((line) => `${title} – ${words.toolLine(line)}`),
    ...weak.flatMap(({ name }) => (apart.has(name) ? [] : words.toolLine(lines.get(name) ?? ''))),
  ];
  const verdict = apart.size + course.length > 0 ? 'unusual' : weak.length > 0 ? 'weak' : 'nothing';
  const usual = [
    ...(searched.length > 0 && apart.size === 0 ? (['values'] as const) : []),
    ...(weak.length === 0 && lines.size > 0 ? (['ratings'] as const) : []),
    ...(history !== null && course.length === 0 ? (['course'] as const) : []),
    ...(noted !== null && !hasNotes ? (['notes'] as const) : []),
  ];
  return [
    headedList([words.t(`verdict.${verdict}`, { label, chip }), ...items]),
    ...(usual.length > 0
      ? [words.t('usual', { findings: usual.map((each) => words.t(`usual.${each}`, { title })) })]
      : []),
    // Without a note only where was looked is left of its lines.
    ...(noteLines.length === 0 ? [] : hasNotes ? [headedList(noteLines)] : [noteLines.slice(1).join(' ')]),
  ].join('\n\n');
}

/** The outliers among a qubit's values, by parameter. */
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
      `${words.toolLine(lines.get(parameter) ?? '')} ${words.t('standsApart', { deviations: Math.abs(score).toFixed(1), isBelow: score < 0 })}`,
    ]),
  );
}

/** A tool's line of a series that gets worse: newest, least and greatest value, and the direction. */
const WORSENING =
  /: newest (-?[\d.]+).*?, (-?[\d.]+)[^,]* to (-?[\d.]+).* over \d+ results, (rising|falling) \(worse\)/u;

/** The qubit's line of a history if it gets worse and its newest value is its worst; half of all series drift. */
const worseningOf = (label: string, { formattedSummary }: Found): readonly string[] =>
  linesIn(formattedSummary).filter((line) => {
    const [, newest, least, greatest, way] = WORSENING.exec(line) ?? [];
    return (
      line.startsWith(`${label}: `) && way !== undefined && newest === (way === 'falling' ? least : greatest)
    );
  });
