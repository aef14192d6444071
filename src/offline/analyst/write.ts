/** From what the tools answered to an answer in plain language. Figures are the tools' own, word for word. */
import { doubtsNumbers } from '../../domain/conversation/doubt.ts';
import { ageText } from './age.ts';
import type { AnswerWords } from './answer-words.ts';
import { isFound, keyOf, type Answers, type Found, type PlannedCall } from './answers.ts';
import type { Ask } from './ask.ts';
import { neighboursText } from './layout-text.ts';
import { isFallback, isLive, liveLines } from './live-lines.ts';
import { openedText, type Opened } from './opened.ts';
import { isImpossible } from './period.ts';
import { firstCalls, isTooVague, secondCall, unusualCalls } from './plan.ts';
import { strangeWords } from './strange-words.ts';
import { linesIn, listed, sentence } from './text.ts';
import { unusualTexts } from './unusual.ts';
import { comparisonText, titlesOf, valuesText } from './values-text.ts';
import { isCoupling } from '../../domain/questions/vocabulary.ts';

/** What an answer is written from. */
export type Findings = {
  readonly question: string;
  readonly asks: readonly Ask[];
  readonly answers: Answers;
  /** What the server looked up before. */
  readonly opened: readonly Opened[];
  /** Of the language to answer in. */
  readonly words: AnswerWords;
  readonly now: Date;
};

/** The whole answer as Markdown. */
export function writeAnswer(findings: Findings): string {
  const { asks, answers, opened, question, words, now } = findings;
  const notice = words.notice(strangeWords(question, asks));
  if (asks.length === 0) {
    if (opened.length > 0) return [openedText(opened, words), notice].join('\n\n');
    return doubtsNumbers(question) ? words.nothingToCheck : words.help(strangeWords(question, []));
  }
  const parts = asks.map((ask) => writePart(ask, answers, words));
  const isAsked = asks.some(({ kind }) => kind === 'age');
  const beside = new Set(asks.flatMap(callsBeside).map(keyOf));
  const aged = [...answers].flatMap(([key, answer]) => (isFound(answer) && !beside.has(key) ? [answer] : []));
  const age = ageText(aged, { now, isAsked, words });
  return [...new Set(parts), ...(age === null ? [] : [age]), notice].join('\n\n');
}

/** Old runs and notes that are told beside current values, whose age is told. */
function callsBeside(ask: Ask): readonly PlannedCall[] {
  const about = unusualCalls(ask);
  return about === null ? [] : [about.course, ...about.qubits.map(({ notes }) => notes)];
}

function writePart(ask: Ask, answers: Answers, words: AnswerWords): string {
  if (ask.kind === 'action') return words.cannotAct;
  if (isImpossible(ask.period)) return words.impossiblePeriod(ask.period);
  if (isTooVague(ask))
    return ask.kind === 'lineage' ? words.needsParameterAndQubit : words.needsTwoParameters;
  const calls = firstCalls(ask);
  const found: Found[] = [];
  const failed: string[] = [];
  for (const call of calls) {
    const answer = answers.get(keyOf(call));
    if (answer === undefined) failed.push(words.notLookedUp(words.notRun(call.name)));
    else if ('error' in answer) failed.push(words.notLookedUp(answer.error));
    else found.push(answer);
  }
  const texts = textsOf(ask, found, { answers, words });
  return [...assumption(ask, words), ...texts, ...new Set(failed)].join('\n\n');
}

/** What the analyst chose because the question did not say, and what it could not do with what it said. */
function assumption(ask: Ask, words: AnswerWords): readonly string[] {
  const isUndated = ask.period !== null && ask.kind !== 'periods';
  return [...(isUndated ? [words.daysLeftOut] : []), ...parametersTaken(ask, words)];
}

function parametersTaken({ kind, metrics, qids, statistic }: Ask, words: AnswerWords): readonly string[] {
  if (metrics.length > 0) return [];
  if (kind === 'trend' || kind === 'periods') {
    return [words.parameterTaken(qids.some(isCoupling) ? 'ZX90' : 'T1')];
  }
  if (kind === 'heatmap' || (kind === 'statistic' && statistic !== null)) return [words.parameterTaken('T1')];
  return kind === 'rank' ? [words.parametersTaken] : [];
}

type Source = { readonly answers: Answers; readonly words: AnswerWords };

function textsOf(ask: Ask, found: readonly Found[], source: Source): readonly string[] {
  const { answers, words } = source;
  if (unusualCalls(ask) !== null) {
    const fallbacks = new Set(found.flatMap((answer) => fallbackText(answer, words)));
    const live = new Set(found.flatMap((answer) => liveText(ask, answer, words)));
    return [...fallbacks, ...unusualTexts(ask, answers, words), ...live];
  }
  return found.flatMap((answer) => [
    ...fallbackText(answer, words),
    textOf(ask, answer, source),
    ...liveText(ask, answer, words),
  ]);
}

function textOf(ask: Ask, answer: Found, source: Source): string {
  const { words } = source;
  const lines = linesOf(answer);
  const told = (some: readonly string[]): string => listed(some.map(words.toolLine));
  switch (ask.kind) {
    case 'values':
    case 'age':
      return valuesText(ask, answer, lines, words);
    case 'compare':
      return comparisonText(ask, answer, lines, words);
    case 'topology':
      return [neighboursText(ask.qids, answer.data, words) ?? told(lines), ...hint(ask, words)].join('\n\n');
    case 'statistic':
      return secondText(ask, source, (found) => linesOf(found).slice(0, 1));
    case 'runs':
      return ask.task === null ? told(lines) : secondText(ask, source, linesOf);
    case 'heatmap':
      return `${told(lines)}\n\n${words.heatmapShown}`;
    case 'trend':
      return [...hint(ask, words), told(lines), words.courseShown].join('\n\n');
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
      return told(lines);
  }
}

/** What of the question is left open, where it asks for more than one step. */
function hint({ kind, metrics, statistic }: Ask, words: AnswerWords): readonly string[] {
  if (kind === 'trend' && statistic !== null) return [words.figuresAreOverQubits];
  return kind === 'topology' && metrics.length > 0 ? [words.askForValues] : [];
}

/** The summary's lines about stored values, without the one about age, which the whole answer has once. */
const linesOf = (answer: Found): readonly string[] =>
  linesIn(answer.formattedSummary).filter(
    (line) => !line.startsWith('Stored results, ') && !isLive(line) && !isFallback(line),
  );

/** Said before the stored values that it is about. */
function fallbackText(answer: Found, words: AnswerWords): readonly string[] {
  const lines = linesIn(answer.formattedSummary).filter(isFallback);
  return lines.length === 0 ? [] : [lines.map(words.toolLine).join(' ')];
}

/** What the live source said; of a qubit only the parameters that were asked for. */
function liveText(ask: Ask, answer: Found, words: AnswerWords): readonly string[] {
  const lines = liveLines(
    linesIn(answer.formattedSummary),
    ask.kind === 'values' || ask.kind === 'age' ? titlesOf(ask, answer) : [],
  );
  return lines.length === 0 ? [] : [listed(lines.map(words.toolLine))];
}

/** What the call said that needed the first one, whose own answer is only its source. */
function secondText(ask: Ask, { answers, words }: Source, tell: (found: Found) => readonly string[]): string {
  const call = secondCall(ask, answers);
  const answer = call === null ? undefined : answers.get(keyOf(call));
  if (answer === undefined) return words.notComputed(words.calculationNotRun);
  if (!isFound(answer)) return words.notComputed(answer.error);
  return listed(tell(answer).map((line) => words.toolLine(sentence(line))));
}
