/**
 * Right, half, an honest no, wrong or misleading. docs/evaluation.md defines these. An answer that this
 * cannot decide is left for a person to read, and counts as right for nobody.
 */
import type { Expectation, Fact } from './expectation.ts';
import { falseOrders } from './false-orders.ts';
import { isSame, meets, type Given, type Met } from './meet.ts';
import { isFalse, type TrueFigures } from './true-figures.ts';
import { namedIn, readStatements, type GivenFigure, type Statement } from './statements.ts';

/** In the order of tables. */
export const VERDICTS = ['right', 'half', 'no', 'wrong', 'misleading', 'unread'] as const;
/** One of {@link VERDICTS}. `no` is honest, where there would have been an answer; `unread` waits for a person. */
export type Verdict = (typeof VERDICTS)[number];

/** A verdict and what it rests on. */
export type Judgement = { readonly verdict: Verdict; readonly reasons: readonly string[] };

/** What is judged. */
export type Judged = {
  readonly expectation: Expectation;
  readonly question: string;
  readonly text: string;
  /** Tables beside the text, a line a row. */
  readonly tables: readonly string[];
  /** Pairs of the device, lower qubit first. */
  readonly pairs: ReadonlySet<string>;
  /** All that the files have of each part. */
  readonly known: TrueFigures;
};

/** Judges one answer. */
export function judge({ expectation, question, text, tables, pairs, known }: Judged): Judgement {
  const { facts, never, no, within } = expectation;
  const own = withoutNotices(text);
  // Quoted words are the question's, not the answer's.
  const inText = readStatements(own.replaceAll(/「[^」]*」|“[^”]*”/gu, '…'), pairs);
  // Rows are the answer only where the text names nobody and gives no figure.
  const isTold = inText.some(({ names, figures }) => names.length > 0 || figures.length > 0);
  const statements = isTold || isNo(own, inText) ? inText : readStatements(tables.join('\n'), pairs);
  const asked = namedIn(readStatements(question, pairs));
  const all = readStatements([own, ...tables].join('\n'), pairs);
  const given: Given = {
    statements,
    // "Q1, Q2 and 5 more": the table has the rest.
    all: MORE.test(own) ? all : statements,
    text: own,
    whole: text,
    mayName: expectation.mayName,
    asked,
  };

  const said = never.filter(({ pattern }) => pattern.test(own));
  if (said[0] !== undefined) {
    return { verdict: said[0].as, reasons: said.map(({ what }) => `must not give ${what}`) };
  }
  const denied = DENIED.exec(own);
  if (denied !== null) return { verdict: 'wrong', reasons: [`denies ${denied[1] ?? ''}, which it lists`] };
  const times = windowsIn(own).filter(
    (at) => within !== null && !within.some((start) => at.startsWith(start)),
  );
  const orders = falseOrders(inText);
  if (orders.length > 0) return { verdict: 'misleading', reasons: orders };
  // Two windows compared are no refusal to say what is in one of them.
  const refuses = isNo(no === null ? own.replace(/^.*(?:both windows|両方の期間).*$/gmu, '') : own, inText);
  // Before facts: "I did not understand" has the "not" of many an answer.
  if (no === null && refuses && NOT_UNDERSTOOD.test(own))
    return { verdict: 'no', reasons: facts.map(factText) };
  if (expectation.isBeyond === true && refuses) return { verdict: 'right', reasons: [] };
  if (no !== null) return times.length > 0 ? judgePeriods(times, ['a no']) : judgeNo(no, own, refuses);

  const met = facts.map((fact) => [fact, meets(fact, given)] as const);
  const missing = met.filter(([, how]) => how !== 'yes').map(([fact]) => factText(fact));
  const isUntimed = met.every(([, how]) => how === 'yes' || how === 'untimed');
  if (missing.length > 0 && isUntimed) return { verdict: 'unread', reasons: ['figures without their times'] };
  const askedFor = readStatements(question, pairs).flatMap(({ figures }) =>
    figures.map(({ value }) => value),
  );
  const isAllowed = (figure: GivenFigure): boolean =>
    askedFor.some((value) => Math.abs(value - figure.value) <= figure.step / 2) ||
    // A statistic, of the chip or of one part: no file has it.
    facts.some((fact) => isExpected(figure, fact));
  const beside = falseFigures(inText, isAllowed, known);
  if (times.length > 0) return judgePeriods(times, missing);
  if (missing.length === 0) return judgeComplete(facts, given, own, beside);
  if (refuses || DECLINES.test(own)) return { verdict: 'no', reasons: missing };
  if (beside.length > 0) return { verdict: 'wrong', reasons: [...beside, ...missing] };
  return judgeIncomplete(met, missing, text);
}

/** An answer about a period that nobody asked for may have what was asked for beside it. */
const judgePeriods = (times: readonly string[], missing: readonly string[]): Judgement => ({
  verdict: missing.length === 0 ? 'unread' : 'misleading',
  reasons: [...times.map((at) => `a period with ${at} was not asked for`), ...missing],
});

/** "There is no parameter x; its parameters: …, x". */
const DENIED = /there is no \w+ ([a-z]\w+)\b[^.]*;[^.]*\b\1\b/iu;

/** Bounds of periods, from midnight or to another time, as against the times of values. */
const windowsIn = (text: string): readonly string[] => [
  ...[...text.matchAll(/(\d{4}-\d{2}-\d{2}) 00:00/gu)].map(([, at = '']) => at),
  ...[...text.matchAll(/(\d{4}-\d{2}-\d{2}) \d{2}:00 (?:to|から) (\d{4}-\d{2}-\d{2}) \d{2}:00/gu)].flatMap(
    ([, from = '', to = '']) => [from, to],
  ),
];

function judgeNo(no: RegExp, own: string, refuses: boolean): Judgement {
  if (!refuses && no.test(own)) return { verdict: 'unread', reasons: ['a no, and figures beside it'] };
  if (!refuses) return { verdict: 'misleading', reasons: [`an honest no that names ${no.source}`] };
  // What is not understood is not known to be missing.
  return no.test(own) && !/understand|わからない|分からない/iu.test(own)
    ? { verdict: 'right', reasons: [] }
    : { verdict: 'no', reasons: [`a no that names ${no.source}`] };
}

/** Everything asked is there; nothing else may be about anything else. */
function judgeComplete(
  facts: readonly Fact[],
  given: Given,
  own: string,
  beside: readonly string[],
): Judgement {
  if (beside.length > 0) return { verdict: 'unread', reasons: beside };
  if (
    /words? (?:that )?I (?:do not know|left out)|left out|not understood|(?:did|do) not (?:use|know|understand)|not used:|(?:読|使|分か|わか)(?:め|わ|ら)なかった/iu.test(
      own,
    )
  ) {
    return { verdict: 'unread', reasons: ['it names words that it left out'] };
  }
  const wanted = facts.flatMap(subjectsOf);
  if (wanted.length === 0) return { verdict: 'right', reasons: [] };
  const known = [...wanted, ...given.mayName, ...given.asked];
  const others = namedIn(given.statements).filter((name) => !known.includes(name));
  return others.length === 0 || facts.some((fact) => fact.type === 'names' && fact.how === 'in order')
    ? { verdict: 'right', reasons: [] }
    : { verdict: 'unread', reasons: [`it also names ${others.join(', ')}`] };
}

/** Whether a fact asks for this figure, of this part. */
function isExpected(figure: GivenFigure, fact: Fact): boolean {
  if (fact.type === 'either') return fact.ways.flat().some((each) => isExpected(figure, each));
  if (fact.type !== 'figure' || (fact.of !== null && !figure.of.includes(fact.of))) return false;
  return [fact, ...(fact.also ?? [])].some((way) => isSame(figure, way, false));
}

/** Figures that no file has of their part: but limits, and what is allowed. */
function falseFigures(
  statements: readonly Statement[],
  isAllowed: (figure: GivenFigure) => boolean,
  known: TrueFigures,
): readonly string[] {
  return statements
    .filter(
      ({ text }) => !/limit|threshold|限界|above|below|over|under|than|平均|mean|median|sigma/iu.test(text),
    )
    .flatMap(({ figures }) => figures)
    .filter((figure) => !isAllowed(figure) && isFalse(figure, known))
    .map(({ value, unit, of }) => `${value} ${unit ?? ''} of ${of.join(' or ')} is in no file`);
}

const LEFT_OUT =
  /left out|not understood|did not use|do not know|could not|cannot|missing|使っていません|できません|分かりません/iu;

function judgeIncomplete(
  met: readonly (readonly [Fact, Met])[],
  missing: readonly string[],
  text: string,
): Judgement {
  const isLacking = (how: Met): boolean => how === 'no' || (how === 'part' && !MORE.test(text));
  const lacking = met.filter(([, how]) => isLacking(how)).map(([fact]) => fact);
  const isBeside = lacking.every(isOfWords);
  const hasSome = met.some(([fact, how]) => !isLacking(how) && !isOfWords(fact));
  // The figures are there, the judgement or the unit is not; or it says itself what is missing.
  if (hasSome && (isBeside || LEFT_OUT.test(text))) return { verdict: 'half', reasons: missing };
  return { verdict: 'misleading', reasons: missing };
}

/** A list that says how many it does not name. */
/** Met by words alone. */
const isOfWords = (fact: Fact): boolean =>
  fact.type === 'either' ? fact.ways.flat().every(isOfWords) : fact.type === 'says';

/** "I compute statistics over qubits, not over runs": says that this is not what was asked for. */
const DECLINES = /\bI (?:compute|give|show|answer)\b[^.]*, not\b/u;

const MORE = /\band \d+ more|ほか\d+個/u;

const subjectsOf = (fact: Fact): readonly string[] => {
  if (fact.type === 'figure') return fact.of === null ? [] : [fact.of];
  if (fact.type === 'names') return fact.names;
  return fact.type === 'either' ? fact.ways.flatMap((way) => way.flatMap(subjectsOf)) : [];
};

function factText(fact: Fact): string {
  switch (fact.type) {
    case 'figure':
      return `${Number(fact.value.toPrecision(5))} ${fact.unit}${fact.of === null ? '' : ` of ${fact.of}`}${fact.when === undefined ? '' : ` in ${fact.when}`}`;
    case 'count':
      return `the number ${fact.values.join(' or ')}`;
    case 'names':
      return `${fact.names.join(', ') || 'nobody'}, ${fact.how}`;
    case 'day':
      return fact.at.toISOString().slice(0, 10);
    case 'says':
      return fact.what;
    case 'either':
      return fact.ways.map((way) => way.map(factText).join(' and ')).join(', or ');
    default:
      return fact satisfies never;
  }
}

const NOT_UNDERSTOOD =
  /(?:did|do) not understand|理解できません|could not look this up|調べられません|答えません|(?:do|will|can)(?: not|n't|not) answer/iu;

/** Notices about sources, ages and the program, and what it could be asked instead, are no part of an answer. */
export function withoutNotices(text: string): string {
  const isHelp = NOT_UNDERSTOOD.test(text);
  return text
    .split(/\n/u)
    .filter((line) => !/^\s*_.*_\s*$/u.test(line) && !(isHelp && /^\s*[-*]\s.*[?？]/u.test(line)))
    .map((line) =>
      line
        .split(/(?<=[.。])\s*(?=[A-Z\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|$)/u)
        .filter((sentence) => !NOTICE.test(sentence) && !(isHelp && EXAMPLE.test(sentence)))
        .join(' '),
    )
    .join('\n');
}

/** What could be asked instead, or how. */
const EXAMPLE = /\b(?:I can|can answer|such as|name parts as)\b|答えられます|書いてください/iu;

const NOTICE =
  /live source|not live|stored results|older than the limit|measuring again|ライブ値|保存された結果|期限の|I can answer questions|I know T1|どのパラメータも|次のような質問|次は\d+秒後/iu;

const NO =
  /could not|cannot|can't|do(?:es)? not (?:know|understand|exist|have)|\bno (?:\w+ ){0,3}(?:value|data|result|qubit|coupling|parameter|metric|gate|snapshot|record|measurement|period)|no value|not (?:a valid|known|stored|recorded|measured|there|in the)|(?:has|have|is|are|was|were) no\b|none of|nobody|nothing|only one|誰も|ありません|できません|られません|わかりません|分かりません|わからない|分からない|不明/iu;

/** Says that there is no answer, and gives none: no figure but in a sentence that denies. "1 coupling" is none. */
function isNo(own: string, statements: readonly Statement[]): boolean {
  if (own.trim() === '') return true;
  const isBare = (statement: Statement): boolean =>
    statement.figures.every(
      ({ unit, value }) =>
        unit === null && (value === 1 || NO.test(statement.text) || NOT_UNDERSTOOD.test(own)),
    );
  return (NO.test(own) || NOT_UNDERSTOOD.test(own)) && statements.every(isBare);
}
