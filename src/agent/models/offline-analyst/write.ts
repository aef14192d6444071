/** From what the tools answered to an answer in plain language. Figures are the tools' own, word for word. */
import { z } from 'zod';
import { formatTime, joinWords } from '../../../domain/display-text.ts';
import { doubtsNumbers } from '../../../domain/doubt.ts';
import type { Ask } from './ask.ts';
import { isFallback, isLive, liveLines } from './live-lines.ts';
import { NOTHING_TO_CHECK, openedText, type Opened } from './opened.ts';
import { firstCalls, isTooVague, keyOf, secondCall, type Answers, type ToolAnswer } from './plan.ts';
import { linesIn, listed, sentence } from './text.ts';
import { isCoupling } from './vocabulary.ts';

/** What an answer is written from. */
export type Findings = {
  readonly question: string;
  readonly asks: readonly Ask[];
  readonly answers: Answers;
  /** What the server looked up before. */
  readonly opened: readonly Opened[];
  readonly now: Date;
};

type Found = Exclude<ToolAnswer, { error: string }>;

/** The whole answer as Markdown. */
export function writeAnswer(findings: Findings): string {
  const { asks, answers, opened, question, now } = findings;
  if (asks.length === 0) {
    if (opened.length > 0) return [openedText(opened), noticeFor(question)].join('\n\n');
    return doubtsNumbers(question) ? NOTHING_TO_CHECK : HELP;
  }
  const parts = asks.map((ask) => writePart(ask, answers));
  const age = ageSentence([...answers.values()].filter(isFound), now);
  const texts = [...new Set(parts), ...(age === null ? [] : [age]), noticeFor(question)];
  return texts.join('\n\n');
}

const isFound = (answer: ToolAnswer): answer is Found => !('error' in answer);

const HELP = [
  'I am the offline analyst: I answer by fixed rules, without a language model, and I did not understand this question. I can answer questions such as these:',
  [
    '- How healthy is the chip?',
    '- Which five qubits have the shortest T1? The best readout fidelity?',
    '- Compare Q3 and Q5.',
    '- How did T2 of Q12 change over the last 30 days? The ZX90 fidelity of 0-1?',
    '- Compare this week with last week for T1.',
    '- Show a heatmap of the qubit frequency.',
    '- Are there outliers? What are the neighbours of Q7?',
    '- Which parameters are there? What is the 90th percentile of T1? Is T1 correlated with T2?',
  ].join('\n'),
  'I know T1, T2 (echo), T2*, readout, gate and Bell-state fidelities, frequency and anharmonicity, and any parameter by its stored name.',
].join('\n\n');

/** Said once an answer, in the language of the question. */
const noticeFor = (question: string): string =>
  /[\u3040-\u30ff]/u.test(question)
    ? '_オフライン アナリストの回答です（言語モデルは使っていません）。_'
    : '_From the offline analyst: fixed rules, no language model._';

function writePart(ask: Ask, answers: Answers): string {
  if (isTooVague(ask)) return 'For a correlation, name two parameters, for example T1 and T2.';
  const calls = firstCalls(ask);
  const found: Found[] = [];
  const failed: string[] = [];
  for (const call of calls) {
    const answer = answers.get(keyOf(call));
    if (answer === undefined) failed.push(`I could not look this up: ${call.name} was not run.`);
    else if ('error' in answer) failed.push(`I could not look this up: ${sentence(answer.error)}`);
    else found.push(answer);
  }
  const texts = found.flatMap((answer) => [
    ...fallbackText(answer),
    textOf(ask, answer, answers),
    ...liveText(ask, answer),
  ]);
  return [...assumption(ask), ...texts, ...new Set(failed)].join('\n\n');
}

/** What the analyst chose because the question did not say. */
function assumption({ kind, metrics, qids, statistic }: Ask): readonly string[] {
  if (metrics.length > 0) return [];
  if (kind === 'trend' || kind === 'periods') {
    return [
      `You named no parameter, so this is about ${qids.some(isCoupling) ? 'the ZX90 fidelity' : 'T1'}.`,
    ];
  }
  if (kind === 'heatmap' || (kind === 'statistic' && statistic !== null)) {
    return ['You named no parameter, so this is about T1.'];
  }
  return kind === 'rank' ? ['You named no parameter, so here are T1, T2 and readout fidelity.'] : [];
}

function textOf(ask: Ask, answer: Found, answers: Answers): string {
  switch (ask.kind) {
    case 'values':
      return valuesText(ask, answer);
    case 'topology':
      return ask.qids.length > 0 ? neighboursText(ask.qids, answer) : listed(linesOf(answer));
    case 'statistic':
      return statisticText(ask, answers);
    case 'heatmap':
      return `${listed(linesOf(answer))}\n\nThe chart shows every qubit in its place.`;
    case 'trend':
      return `${listed(linesOf(answer))}\n\nThe chart shows the course.`;
    case 'periods':
    case 'health':
    case 'rank':
    case 'compare':
    case 'outliers':
    case 'parameters':
    case 'figures':
      return listed(linesOf(answer));
  }
}

/** The summary's lines about stored values, without the one about age, which the whole answer has once. */
const linesOf = (answer: Found): readonly string[] =>
  linesIn(answer.formattedSummary).filter(
    (line) => !line.startsWith('Stored results, ') && !isLive(line) && !isFallback(line),
  );

/** Said before the stored values that it is about. */
function fallbackText(answer: Found): readonly string[] {
  const lines = linesIn(answer.formattedSummary).filter(isFallback);
  return lines.length === 0 ? [] : [lines.join(' ')];
}

/** What the live source said; of a qubit only the parameters that were asked for. */
function liveText(ask: Ask, answer: Found): readonly string[] {
  const lines = liveLines(
    linesIn(answer.formattedSummary),
    ask.kind === 'values' ? titlesOf(ask, answer) : [],
  );
  return lines.length === 0 ? [] : [listed(lines)];
}

/** Titles of the parameters that were asked for, as far as the qubit has them. */
function titlesOf({ metrics }: Ask, answer: Found): readonly string[] {
  const data = qubitValues.safeParse(answer.data);
  if (!data.success) return [];
  return data.data.parameters.filter(({ name }) => metrics.includes(name)).map(({ title }) => title);
}

const qubitValues = z.object({
  label: z.string(),
  chip_id: z.string(),
  parameters: z.array(z.object({ name: z.string(), title: z.string() })),
});

/** Of a qubit's values those that were asked for. */
function valuesText({ metrics }: Ask, answer: Found): string {
  const lines = linesOf(answer);
  const data = qubitValues.safeParse(answer.data);
  if (metrics.length === 0 || !data.success) return listed(lines);
  const { label, chip_id: chipId, parameters } = data.data;
  const wanted = metrics.map((name) => {
    const title = parameters.find((parameter) => parameter.name === name)?.title;
    const line = lines.find((each) => title !== undefined && each.startsWith(`${title}: `));
    return (
      line ?? `${name}: no value; ${label} has ${joinWords(parameters.map((parameter) => parameter.name))}.`
    );
  });
  return listed(
    wanted.length === 1
      ? [`${label} on ${chipId}: ${wanted.join('')}`]
      : [`${label} on ${chipId}:`, ...wanted],
  );
}

const layout = z.object({
  chip_id: z.string(),
  qubits: z.array(
    z.object({
      qid: z.string(),
      label: z.string(),
      row: z.number().nullable(),
      col: z.number().nullable(),
      neighbors: z.array(z.string()),
    }),
  ),
});

function neighboursText(qids: readonly string[], answer: Found): string {
  const data = layout.safeParse(answer.data);
  if (!data.success) return listed(linesOf(answer));
  const { chip_id: chipId, qubits } = data.data;
  const labels = new Map(qubits.map(({ qid, label }) => [qid, label]));
  const lines = qids.map((qid) => {
    const qubit = qubits.find((each) => each.qid === qid);
    if (qubit === undefined) {
      return `There is no qubit ${qid} in the layout of ${chipId}; it goes from ${qubits.at(0)?.label ?? '–'} to ${qubits.at(-1)?.label ?? '–'}.`;
    }
    const place = qubit.row === null || qubit.col === null ? '' : ` (row ${qubit.row}, column ${qubit.col})`;
    const neighbours = joinWords(qubit.neighbors.map((each) => labels.get(each) ?? each));
    return neighbours === ''
      ? `${qubit.label}${place} has no neighbours on ${chipId}.`
      : `${qubit.label}${place} is coupled to ${neighbours} on ${chipId}.`;
  });
  return listed(lines);
}

/** What Python said; the summary that it computed from is only its source. */
function statisticText(ask: Ask, answers: Answers): string {
  const call = secondCall(ask, answers);
  const answer = call === null ? undefined : answers.get(keyOf(call));
  if (answer === undefined) return 'I could not compute this: the analysis was not run.';
  if ('error' in answer) return `I could not compute this: ${sentence(answer.error)}`;
  const [first = ''] = linesOf(answer);
  return sentence(first);
}

/** How old the rows are that the answer used, and whether that is too old. */
function ageSentence(found: readonly Found[], now: Date): string | null {
  const ages = found.flatMap(({ freshness }) => freshness ?? []);
  const newest = ages
    .flatMap(({ newestAt }) => newestAt ?? [])
    .toSorted()
    .at(-1);
  const oldest = ages
    .flatMap(({ oldestAt }) => oldestAt ?? [])
    .toSorted()
    .at(0);
  if (newest === undefined || oldest === undefined) return null;
  const limits = ages.flatMap(({ staleAfterSeconds }) => staleAfterSeconds ?? []);
  const ageMs = now.getTime() - new Date(oldest).getTime();
  const limitMs = limits.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...limits) * 1000;
  const [from, to] = [new Date(oldest), new Date(newest)];
  const span =
    from.getTime() === to.getTime()
      ? `measured ${formatTime(to)}, ${duration(now.getTime() - to.getTime())} ago`
      : `measured from ${formatTime(from)} (${duration(ageMs)} ago) to ${formatTime(to)} (${duration(now.getTime() - to.getTime())} ago)`;
  const warning =
    ageMs > limitMs
      ? ` Some are older than the limit of ${duration(limitMs)}, so measure again before relying on them.`
      : '';
  const hasLive = found.some((answer) => linesIn(answer.formattedSummary).some(isLive));
  return `${hasLive ? 'The stored results were' : 'These are stored results,'} ${span}.${warning}`;
}

const MINUTE_MS = 60_000;
const UNITS = [
  { name: 'year', ms: 365.25 * 24 * 60 * MINUTE_MS, from: 2 },
  { name: 'month', ms: 30.44 * 24 * 60 * MINUTE_MS, from: 2 },
  { name: 'day', ms: 24 * 60 * MINUTE_MS, from: 2 },
  { name: 'hour', ms: 60 * MINUTE_MS, from: 1.5 },
  { name: 'minute', ms: MINUTE_MS, from: 0 },
] as const;

/** `2 hours`, `15 days`: in the largest unit that still says something. */
function duration(ms: number): string {
  const unit = UNITS.find((each) => ms >= each.ms * each.from) ?? UNITS[4];
  const count = Math.max(0, Math.round(ms / unit.ms));
  return `${count} ${unit.name}${count === 1 ? '' : 's'}`;
}
