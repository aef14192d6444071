/** From what the tools answered to an answer in plain language. Figures are the tools' own, word for word. */
import { doubtsNumbers } from '../../../domain/doubt.ts';
import { ageSentence } from './age.ts';
import { isFound, keyOf, type Answers, type Found } from './answers.ts';
import type { Ask } from './ask.ts';
import { neighboursText } from './layout-text.ts';
import { isFallback, isLive, liveLines } from './live-lines.ts';
import { NOTHING_TO_CHECK, openedText, type Opened } from './opened.ts';
import { CANNOT_ACT, helpFor, noticeFor } from './notice.ts';
import { firstCalls, isTooVague, secondCall } from './plan.ts';
import { linesIn, listed, sentence } from './text.ts';
import { comparisonText, titlesOf, valuesText } from './values-text.ts';
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

/** The whole answer as Markdown. */
export function writeAnswer(findings: Findings): string {
  const { asks, answers, opened, question, now } = findings;
  if (asks.length === 0) {
    if (opened.length > 0) return [openedText(opened), noticeFor(question, asks)].join('\n\n');
    return doubtsNumbers(question) ? NOTHING_TO_CHECK : helpFor(question);
  }
  const parts = asks.map((ask) => writePart(ask, answers));
  const isAsked = asks.some(({ kind }) => kind === 'age');
  const age = ageSentence([...answers.values()].filter(isFound), now, isAsked);
  const texts = [...new Set(parts), ...(age === null ? [] : [age]), noticeFor(question, asks)];
  return texts.join('\n\n');
}

const TOO_VAGUE = {
  correlation: 'For a correlation, name two parameters, for example T1 and T2.',
  lineage: 'For versions, name a parameter and a qubit, for example T1 of Q7.',
};

function writePart(ask: Ask, answers: Answers): string {
  if (ask.kind === 'action') return CANNOT_ACT;
  if (isTooVague(ask)) return TOO_VAGUE[ask.kind === 'lineage' ? 'lineage' : 'correlation'];
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
  const lines = linesOf(answer);
  switch (ask.kind) {
    case 'values':
    case 'age':
      return valuesText(ask, answer, lines);
    case 'compare':
      return comparisonText(ask, answer, lines);
    case 'topology':
      return [neighboursText(ask.qids, answer.data) ?? listed(lines), ...hint(ask)].join('\n\n');
    case 'statistic':
      return sentence(secondText(ask, answers, (found) => linesOf(found).slice(0, 1)));
    case 'runs':
      return ask.task === null ? listed(lines) : secondText(ask, answers, linesOf);
    case 'heatmap':
      return `${listed(lines)}\n\nThe chart shows every qubit in its place.`;
    case 'trend':
      return [...hint(ask), listed(lines), 'The chart shows the course.'].join('\n\n');
    case 'executions':
    case 'figures':
    case 'health':
    case 'laboratory':
    case 'lineage':
    case 'notes':
    case 'outliers':
    case 'parameters':
    case 'periods':
    case 'rank':
    case 'tasks':
    case 'action':
      return listed(lines);
  }
}

/** What of the question is left open, where it asks for more than one step. */
function hint({ kind, metrics, statistic }: Ask): readonly string[] {
  if (kind === 'trend' && statistic !== null) {
    return [
      'I compute figures over the qubits of a chip, not over the runs of one qubit; these are its values.',
    ];
  }
  return kind === 'topology' && metrics.length > 0
    ? ['For values of these qubits ask again, for example “Compare Q3 and Q5 in T1”.']
    : [];
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
    ask.kind === 'values' || ask.kind === 'age' ? titlesOf(ask, answer) : [],
  );
  return lines.length === 0 ? [] : [listed(lines)];
}

/** What the call said that needed the first one, whose own answer is only its source. */
function secondText(ask: Ask, answers: Answers, tell: (found: Found) => readonly string[]): string {
  const call = secondCall(ask, answers);
  const answer = call === null ? undefined : answers.get(keyOf(call));
  if (answer === undefined) return 'I could not answer this: the call that it needs was not run.';
  return isFound(answer) ? listed(tell(answer)) : `I could not answer this: ${sentence(answer.error)}`;
}
