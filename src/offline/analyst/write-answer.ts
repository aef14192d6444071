/** Writes the answer in plain language from the answers of the tools. Figures are the tools' own, word for word. */
import { z } from 'zod';
import { doubtsNumbers } from '../../domain/conversation/message-intent.ts';
import { formatTime } from '../../domain/text/display-text.ts';
import { isImpossible } from '../../domain/questions/period.ts';
import { isCoupling } from '../../domain/questions/vocabulary.ts';
import { headedList, linesIn, sentence } from '../shared/text.ts';
import {
  chipIdIn,
  isFound,
  keyIn,
  keyOf,
  type Answers,
  type Found,
  type MadeCall,
  type PlannedCall,
  type ToolAnswer,
} from '../shared/tool-answers.ts';
import { ageText } from './age.ts';
import type { Ask, Reading } from '../../domain/questions/query.ts';
import { neighboursText } from './layout-text.ts';
import { isFallback, isLive, liveLines } from './live-lines.ts';
import type { AnswerWords } from './messages.ts';
import { partsText, placeText, plausibleText, ratioText } from './parts-text.ts';
import { timesText } from './times-text.ts';
import { firstCalls, isDrawn, isOfNeighbours, isTooVague, secondCall, unusualCalls } from './plan.ts';
import { isOfTwoStates, timesOfPeriods, timesOfStates } from './two-times.ts';
import { courseText, isCourse } from './course.ts';
import { unusualTexts } from './unusual.ts';
import { comparisonText, titlesOf, valuesText } from './values-text.ts';

/** The call by which the server checks values that a message doubts. */
export const VERIFICATION = 'verify_against_live';

/** What an answer is written from. */
export type Findings = {
  readonly question: string;
  readonly reading: Reading;
  readonly answers: Answers;
  /** Calls that the server made before the question was answered. */
  readonly preflight: readonly MadeCall[];
  /** In the language of the answer. */
  readonly words: AnswerWords;
  readonly now: Date;
};

/** The whole answer as Markdown. */
export function writeAnswer({ reading, answers, preflight, question, words, now }: Findings): string {
  const { t, quoted } = words;
  const { asks } = reading;
  const unknown = quoted(reading.unread.slice(0, MOST_UNKNOWN_WORDS));
  const notice = t('notice');
  if (asks.length === 0 && preflight.length > 0) {
    return [preflightText(preflight, words), notice].join('\n\n');
  }
  if (reading.isTooLong) return [t('tooLong', { from: unknown }), notice].join('\n\n');
  if (asks.length === 0) return doubtsNumbers(question) ? t('nothingToCheck') : t('help', { unknown });
  if (reading.unread.length > 0) {
    // Stored values in place of live ones would answer another question.
    const hasLive = preflight.length > 0 && !preflight.some(({ answer }) => fallsBack(answer));
    const live = hasLive ? [preflightText(preflight, words)] : [];
    return [t('unread', { unknown }), ...live, notice].join('\n\n');
  }
  const corrected = reading.corrections.map(({ written, read }) => t('corrected', { written, read }));
  const aside = reading.asides.length > 0 ? [t('aside', { unknown: quoted(reading.asides) })] : [];
  const parts = asks.map((ask) => writePart(ask, { answers, words, now }));
  const found = [...answers.values()].filter(isFound);
  const fallbacks = new Set(found.flatMap((each) => fallbackText(each, words)));
  const given = new Set<string>();
  // The reason for missing live values appears once, whatever its number of seconds.
  const isNew = (text: string): boolean => {
    const reason = text.replaceAll(/\d+/gu, '');
    return !fallbacks.has(text) || (!given.has(reason) && given.add(reason).size > 0);
  };
  const texts = [...new Set(parts)].map((part) => part.split('\n\n').filter(isNew).join('\n\n'));
  const isAsked = asks.some(({ kind }) => kind === 'age');
  const besides = new Set(asks.flatMap(callsBesides).map(keyOf));
  const aged = [...answers].flatMap(([key, answer]) =>
    isFound(answer) && !besides.has(key) ? [answer] : [],
  );
  const age = ageText(aged, { now, isAsked, words });
  return [...aside, ...corrected, ...texts, ...(age === null ? [] : [age]), notice].join('\n\n');
}

const fallsBack = (answer: ToolAnswer): boolean =>
  isFound(answer) && linesIn(answer.formattedSummary).some(isFallback);

/** More unknown words help nobody. */
const MOST_UNKNOWN_WORDS = 6;

/** The line of a verification that counts its verdicts. */
const VERDICT_COUNTS = /^\d+ values?: /u;

/** The verdict on each doubted value, which the server itself only counted; all lines of other calls. */
function preflightText(preflight: readonly MadeCall[], { t, toolLine }: AnswerWords): string {
  const isVerification = preflight.some(({ call }) => call.name === VERIFICATION);
  const failed = preflight.flatMap(({ answer }) => ('error' in answer ? [answer.error] : []));
  const lines = preflight.flatMap(({ call, answer }) => {
    if ('error' in answer) return [];
    const all = linesIn(answer.formattedSummary);
    return call.name === VERIFICATION
      ? all.filter((line) => !isFallback(line) && !VERDICT_COUNTS.test(line))
      : all;
  });
  const heading = isVerification ? [t('valueByValue')] : [];
  return [
    ...(lines.length > 0 ? [headedList([...heading, ...lines.map(toolLine)])] : []),
    ...failed.map((reason) => t('notLookedUp', { reason })),
  ].join('\n\n');
}

/** Calls for old runs and notes; the answer states the age of current values only. */
function callsBesides(ask: Ask): readonly PlannedCall[] {
  // Each value of a course has its own time.
  if (isCourse(ask)) return firstCalls(ask);
  const calls = unusualCalls(ask);
  return calls === null ? [] : [calls.course, ...calls.qubits.map(({ notes }) => notes)];
}

/** The answer to one thing asked, without the age of its values. */
export function writePart(ask: Ask, source: Source): string {
  const { answers, words } = source;
  const { t } = words;
  if (ask.kind === 'action') return t('cannotAct');
  if (isImpossible(ask.period)) return t(`period.${ask.period.problem}`, { text: ask.period.text });
  if (isTooVague(ask)) return t(ask.kind === 'lineage' ? 'needsParameterAndQubit' : 'needsTwoParameters');
  const found: Found[] = [];
  const failed: string[] = [];
  for (const call of firstCalls(ask)) {
    const answer = answers.get(keyOf(call)) ?? { error: t('notRun', { tool: call.name }) };
    if (isFound(answer)) found.push(answer);
    else failed.push(t('notLookedUp', { reason: answer.error }));
  }
  // Nothing is said of the state of a part that could not be looked up.
  const texts = ask.kind === 'states' && failed.length > 0 ? [] : textsOf(ask, found, source);
  return [...assumptions(ask, words), ...texts, ...new Set(failed)].join('\n\n');
}

/** Assumptions where the question is incomplete, and parts of it that could not be used. */
function assumptions(ask: Ask, { t }: AnswerWords): readonly string[] {
  const { kind, metrics, qids, statistic, isError } = ask;
  const isOverTime = kind === 'trend' || kind === 'periods' || kind === 'changes';
  if (isOverTime && metrics.length === 0 && ask.before !== null) return [];
  const isPlain = kind === 'heatmap' || kind === 'trend' || (kind === 'periods' && ask.period === null);
  if (metrics.length > 0) return isError && isPlain ? [t('errorAsFidelity')] : [];
  if (isOverTime) return [t('parameterTaken', { title: qids.some(isCoupling) ? 'ZX90' : 'T1' })];
  if (kind === 'heatmap' || (kind === 'statistic' && statistic !== null)) {
    return [t('parameterTaken', { title: 'T1' })];
  }
  return kind === 'rank' ? [t('parametersTaken')] : [];
}

type Source = { readonly answers: Answers; readonly words: AnswerWords; readonly now: Date };

function textsOf(ask: Ask, found: readonly Found[], source: Source): readonly string[] {
  const { answers, words } = source;
  if (isCourse(ask) && found.length > 0) {
    const text = courseText(ask, secondCall(ask, answers), answers, found, words);
    return [text ?? words.t('notComputed', { reason: words.t('calculationNotRun') })];
  }
  if (unusualCalls(ask) !== null) {
    const fallbacks = new Set(found.flatMap((answer) => fallbackText(answer, words)));
    const live = new Set(found.flatMap((answer) => liveText(ask, answer, words)));
    return [...fallbacks, ...unusualTexts(ask, answers, words), ...live];
  }
  const texts = found.flatMap((answer) => [
    ...fallbackText(answer, words),
    textOf(ask, answer, source),
    ...liveText(ask, answer, words),
  ]);
  return [...new Set(texts)];
}

function textOf(ask: Ask, answer: Found, source: Source): string {
  const { words } = source;
  const lines = linesOf(answer);
  const list = headedList(lines.map(words.toolLine));
  switch (ask.kind) {
    case 'ratio':
      return ratioText(ask, answer.data, words) ?? list;
    case 'plausible':
      if (isQuery(answer)) return list;
      return [valuesText(ask, answer, lines, words), ...plausibleText(answer.data, words)].join('\n\n');
    case 'values':
    case 'age':
      return isQuery(answer) ? list : valuesText(ask, answer, lines, words);
    case 'compare':
      return comparisonText(ask, answer, lines, words);
    case 'topology':
      return [
        neighboursText(ask, answer.data, words) ?? list,
        ...(isOfNeighbours(ask) ? [secondText(ask, source, linesOf)] : []),
      ].join('\n\n');
    case 'statistic':
      return isDrawn(ask) ? secondText(ask, source, (found) => linesOf(found).slice(0, 1)) : list;
    case 'runs':
      return ask.task === null ? list : secondText(ask, source, linesOf);
    case 'heatmap':
      return `${list}\n\n${words.t('heatmapShown')}`;
    case 'trend':
      return trendText(ask, answer, source, list);
    case 'rank':
      return [...placeText(ask, answer.data, words), list].join('\n\n');
    case 'select':
      if (ask.beside === null && ask.conditions.every(({ of }) => of === null))
        return isQuery(answer) ? list : valuesText(ask, answer, lines, words);
      return secondText(ask, source, linesOf);
    case 'states':
      if (ask.before !== null) return overTime(ask, answer, source, list);
      return isQuery(answer) ? partsAtWork(answer.data, list, words) : statesText(ask, answer, lines, words);
    case 'periods':
    case 'changes':
      return overTime(ask, answer, source, list);
    case 'executions':
    case 'figures':
    case 'health':
    case 'laboratory':
    case 'lineage':
    case 'notes':
    case 'outliers':
    case 'parameters':
    case 'tasks':
    case 'action':
      return list;
  }
}

const timeseries = z.object({ timeseries: z.array(z.object({ t: z.string() })) });

/** Newest results, where all of them are of the time that the question says. */
function trendText(
  { lastN, windowHours }: Ask,
  { data }: Found,
  { words, now }: Source,
  list: string,
): string {
  const { t } = words;
  const shown = [list, t('courseShown')].join('\n\n');
  if (lastN === null || windowHours === null) return shown;
  const from = now.getTime() - windowHours * 3_600_000;
  const times = (timeseries.safeParse(data).data?.timeseries ?? []).map((point) => point.t).toSorted();
  const [oldest, newest] = [times[0], times.at(-1)].map((at) => (at === undefined ? null : new Date(at)));
  if (oldest == null || newest == null || oldest.getTime() >= from) return shown;
  return newest.getTime() < from
    ? t('nothingSince', { from: formatTime(new Date(from)), newest: formatTime(newest) })
    : t('olderThanAsked', { lastN, from: formatTime(new Date(from)), oldest: formatTime(oldest) });
}

/** Values in periods that the question names; of windows up to now the tool's own lines say all but an order. */
function overTime(ask: Ask, answer: Found, { answers, words }: Source, list: string): string {
  if (ask.period === null && ask.kind !== 'changes') return list;
  const [head = '', ...others] = linesIn(answer.formattedSummary);
  const times = isOfTwoStates(ask)
    ? timesOfStates(secondCall(ask, answers), answers)
    : timesOfPeriods(answer.data, head);
  if (times.length === 0) return list;
  const chip = chipIdIn(answer.data);
  const cooldowns = others.filter((line) => line.includes('cool-down')).map(words.toolLine);
  return [...times.map((each) => timesText(ask, each, chip, words)), ...cooldowns].join('\n\n');
}

const counted = z.object({ parts: z.number(), measured: z.number() });

/** How many of the parts have a value, and which. */
function partsAtWork(data: unknown, list: string, { t }: AnswerWords): string {
  const read = counted.safeParse(data).data;
  return read === undefined
    ? list
    : `${t('atWork', { ...read, off: read.parts - read.measured })}\n\n${list}`;
}

/** Whether it is an answer of `query_values`, whose lines say all that was asked. */
const isQuery = ({ data }: Found): boolean =>
  typeof data === 'object' && data !== null && 'conditions' in data;

/** The parts in a state; of a summary the lines that name them. */
function statesText(ask: Ask, answer: Found, lines: readonly string[], words: AnswerWords): string {
  const { state } = ask;
  const { t, toolLine } = words;
  const listed = partsText(ask, answer.data, words);
  if (listed !== null) return listed;
  if (keyIn(answer.data) === null) return valuesText(ask, answer, lines, words);
  const named = lines.filter((line) =>
    state === null
      ? /^(?:Disabled|Enabled|Missing|Doubtful|New|No longer)\b/u.test(line)
      : line.startsWith(state),
  );
  return named.length === 0
    ? t('statesUnknown', { state })
    : headedList([lines[0] ?? '', ...named].map(toolLine));
}

/** The summary's lines on stored values, without the one on their age, which the whole answer has once. */
const linesOf = (answer: Found): readonly string[] =>
  linesIn(answer.formattedSummary).filter(
    (line) => !line.startsWith('Stored results, ') && !isLive(line) && !isFallback(line),
  );

/** Why the stored values below it are shown instead of live ones. */
function fallbackText(answer: Found, words: AnswerWords): readonly string[] {
  const lines = linesIn(answer.formattedSummary).filter(isFallback);
  return lines.length === 0 ? [] : [lines.map(words.toolLine).join(' ')];
}

/** Live values; of a qubit only the parameters that were asked for. */
function liveText(ask: Ask, answer: Found, words: AnswerWords): readonly string[] {
  const titles = ask.kind === 'values' || ask.kind === 'age' ? titlesOf(ask, answer) : [];
  const lines = liveLines(linesIn(answer.formattedSummary), titles);
  return lines.length === 0 ? [] : [headedList(lines.map(words.toolLine))];
}

/** Lines of the call that was made with the answer of the first one. */
function secondText(ask: Ask, { answers, words }: Source, pick: (found: Found) => readonly string[]): string {
  const { t, toolLine } = words;
  const call = secondCall(ask, answers);
  const answer = call === null ? undefined : answers.get(keyOf(call));
  if (answer === undefined) return t('notComputed', { reason: t('calculationNotRun') });
  if (!isFound(answer)) return t('notComputed', { reason: answer.error });
  return headedList(pick(answer).map((line) => toolLine(sentence(line))));
}
