/** Reads and writes rules. `parseRule(ruleText(rule))` is the rule. */
import { normaliseQid, isCouplingId } from '../qid.ts';
import { METRIC_WORDS } from '../values/parameter-words.ts';
import { METRIC_SCOPES, type Metric, type MetricCatalog, type MetricScope } from '../values/metric.ts';
import { canonicalUnit, unitFactor } from '../values/units.ts';
import { RULE_LIMITS, type AlertRule, type AlertTest } from './rule.ts';

/** What is wrong with a text: from which character on, from 1, and what would be right. */
export type RuleProblem = { readonly at: number; readonly message: string };
export type RuleRead =
  | { readonly rule: AlertRule; readonly problem: null }
  | { readonly rule: null; readonly problem: RuleProblem };

/** The one line of a rule. Names with spaces are quoted. */
export function ruleText({ chipId, kind, qid, parameter, test }: AlertRule): string {
  const part = qid === null ? `any ${kind === 'QUBIT' ? 'qubit' : 'coupling'}` : quoted(writtenQid(qid));
  const of = parameter === null ? '' : `${quoted(parameter)} of `;
  return `${of}${part} on ${quoted(chipId)} ${testText(test)}`;
}

/** `below 20 μs`, `falls by 50 % within 7 days`. */
export function testText(test: AlertTest): string {
  switch (test.is) {
    case 'BELOW':
    case 'ABOVE':
      return `${test.is.toLowerCase()} ${test.limit}${test.unit === '' ? '' : ` ${test.unit}`}`;
    case 'FALLS':
    case 'RISES':
      return `${test.is.toLowerCase()} by ${test.percent} % ${windowText(test.hours)}`;
    case 'WORSENS':
      return `worsens by ${test.sigma} sigma ${windowText(test.hours)}`;
    case 'OLDER':
      return `older than ${spanText(test.hours)}`;
    case 'DISABLED':
    case 'MISSING':
    case 'DOUBTFUL':
      return `is ${test.is.toLowerCase()}`;
  }
}

const windowText = (hours: number | null): string =>
  // no claim: the words of a rule
  hours === null ? 'since cooldown' : `within ${spanText(hours)}`;
const spanText = (hours: number): string =>
  hours % 24 === 0 ? `${hours / 24} day${hours === 24 ? '' : 's'}` : `${hours} hour${hours === 1 ? '' : 's'}`;
const writtenQid = (qid: string): string =>
  isCouplingId(qid) || /^\d+$/u.test(qid) ? qid.replace(/\d+/gu, 'Q$&') : qid;
const PLAIN = /^[^\s"]+$/u;
const WORDS = new Set(['any', 'of', 'on']);
const quoted = (name: string): string =>
  PLAIN.test(name) && !WORDS.has(name.toLowerCase()) ? name : `"${name}"`;

class Problem extends Error {
  readonly at: number;
  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

/** Where a text names no chip it is about `chipId`. */
export function parseRule(
  text: string,
  { metrics, chipId = null }: { readonly metrics: MetricCatalog; readonly chipId?: string | null },
): RuleRead {
  try {
    return { rule: readRule(text, metrics, chipId), problem: null };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { rule: null, problem: { at: error.at + 1, message: error.message } };
  }
}

type Token = { readonly text: string; readonly at: number; readonly end: number; readonly isQuoted: boolean };
const EXAMPLE = '"t1 of any qubit on demo-64 below 20 us"';

function readRule(text: string, metrics: MetricCatalog, usualChip: string | null): AlertRule {
  const { characters } = RULE_LIMITS;
  if (text.length > characters) throw new Problem(characters, `a rule has at most ${characters} characters`);
  const tokens = [...text.matchAll(/"([^"]*)"|\S+/gu)].map((found): Token => ({
    text: found[1] ?? found[0],
    at: found.index,
    end: found.index + found[0].length,
    isQuoted: found[1] !== undefined,
  }));
  if (tokens.length === 0) throw new Problem(0, `the rule is empty; write for example ${EXAMPLE}`);
  const isWord = (token: Token | undefined, word: RegExp): boolean =>
    token !== undefined && !token.isQuoted && word.test(token.text);
  const at = (index: number): number => tokens[index]?.at ?? text.length;
  const of = tokens.findIndex((token) => isWord(token, /^of$/iu));
  const named = of < 0 ? [] : tokens.slice(0, of);
  if (of === 0) throw new Problem(0, `name a parameter before "of", for example ${EXAMPLE}`);
  let next = of + 1;
  const part = readPart(tokens, next, { isWord, text, metrics });
  next = part.next;
  let chipId = usualChip;
  if (isWord(tokens[next], /^on$/iu)) {
    chipId = tokens[next + 1]?.text ?? null;
    if (!chipId) throw new Problem(at(next + 1), 'name the chip after "on"');
    next += 2;
  }
  if (chipId === null) throw new Problem(at(next), 'say on which chip, for example "on demo-64"');
  const said = named.map((token) => token.text).join(' ');
  const parameter = named.length === 0 ? null : parameterNamed(said, part.kind, named, metrics);
  const metric = parameter === null ? null : metrics.find(parameter.name, part.kind);
  const test = readTest(text, at(next), metric, parameter);
  const { kind, qid } = part;
  return { chipId, kind, qid, parameter: parameter?.name ?? null, test };
}

type Reading = {
  readonly isWord: (token: Token | undefined, word: RegExp) => boolean;
  readonly text: string;
  readonly metrics: MetricCatalog;
};

function readPart(
  tokens: readonly Token[],
  from: number,
  { isWord, text, metrics }: Reading,
): { readonly kind: MetricScope; readonly qid: string | null; readonly next: number } {
  const token = tokens[from];
  if (token === undefined)
    throw new Problem(text.length, 'name a part: "any qubit", "any coupling", "Q27" or "Q3-Q4"');
  if (!isWord(token, /^(?:any|each|every|all)$/iu)) {
    if (METRIC_SCOPES.some((scope) => metrics.find(token.text, scope) !== null))
      throw new Problem(
        token.at,
        `${token.text} is a parameter; say of what, as in "${token.text} of any qubit"`,
      );
    const qid = normaliseQid(token.text);
    if (!token.isQuoted && !/\d/u.test(qid))
      throw new Problem(
        token.at,
        `"${token.text}" is no part; write "any qubit", "any coupling", "Q27" or "Q3-Q4"${from === 0 ? `, or a parameter with "of", as in ${EXAMPLE}` : ''}`,
      );
    return { kind: isCouplingId(qid) ? 'COUPLING' : 'QUBIT', qid, next: from + 1 };
  }
  const of = tokens[from + 1];
  if (isWord(of, /^qubits?$/iu)) return { kind: 'QUBIT', qid: null, next: from + 2 };
  if (isWord(of, /^(?:couplings?|pairs?)$/iu)) return { kind: 'COUPLING', qid: null, next: from + 2 };
  throw new Problem(of?.at ?? text.length, `write "qubit" or "coupling" after "${token.text}"`);
}

/** A parameter; `isError`: the text names the error, which is what a fidelity lacks to 100 %. */
type Parameter = { readonly name: string; readonly isError: boolean };

/** By its key, its title, or as people call it; names that the catalogue lacks must look like a key. */
function parameterNamed(
  said: string,
  kind: MetricScope,
  [first]: readonly Token[],
  metrics: MetricCatalog,
): Parameter {
  const own = metrics.metrics.filter(({ scope }) => scope === kind);
  const same = (name: string): boolean => name.toLowerCase() === said.toLowerCase();
  const exact =
    own.find(({ name }) => name === said) ?? own.find(({ name, title }) => same(name) || same(title));
  if (exact !== undefined) return { name: exact.name, isError: false };
  if (first?.isQuoted) return { name: said, isError: false };
  const called = METRIC_WORDS.find(
    ([name, pattern]) =>
      metrics.find(name, kind) !== null && new RegExp(`^(?:${pattern.source})$`, 'iu').test(said),
  );
  if (called !== undefined) {
    const isError = /error|infidelit|エラー/iu.test(said) && metrics.find(called[0], kind)?.unit === '%';
    return { name: called[0], isError };
  }
  const of = first?.at ?? 0;
  const other = METRIC_SCOPES.find((scope) => metrics.find(said, scope) !== null);
  if (other !== undefined && other !== kind)
    throw new Problem(
      of,
      `${said} is measured on ${other === 'QUBIT' ? 'qubits' : 'couplings'}, not on ${kind === 'QUBIT' ? 'qubits' : 'couplings'}`,
    );
  if (/^[a-zA-Z.]*[_\d][\w.]*$/u.test(said)) return { name: said, isError: false };
  const known = own.map(({ name }) => name).join(', ');
  throw new Problem(
    of,
    `there is no parameter "${said}" of ${kind === 'QUBIT' ? 'qubits' : 'couplings'}; known are ${known}`,
  );
}

const NUMBER = '(-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?)';
const LEVEL = new RegExp(
  `^(below|under|less than|lower than|<|above|over|more than|higher than|>)\\s*${NUMBER}\\s*(\\S*)$`,
  'iu',
);
const OLDER = new RegExp(`^older than\\s+${NUMBER}\\s*(hours?|h|days?|d|weeks?)$`, 'iu');
const CHANGE = new RegExp(
  `^(?:(halves|doubles)|(falls|drops|decreases|rises|increases|worsens|degrades)\\s+by\\s+${NUMBER}\\s*(%|percent|sigma|σ))\\s+(?:within\\s+(?:(?:the\\s+)?last\\s+)?${NUMBER}\\s*(hours?|h|days?|d|weeks?)|(since\\s+(?:the\\s+)?(?:last\\s+)?cool-?down))$`,
  'iu',
);
const STATE = /^(disabled|missing|doubtful)$/iu;
const CONDITIONS =
  // no claim: the words of a rule
  '"below 20 us", "above 2 %", "halves within 7 days", "falls by 30 % within 3 days", "worsens by 5 sigma since cooldown", "older than 3 days" or "is disabled"';

function readTest(text: string, from: number, metric: Metric | null, parameter: Parameter | null): AlertTest {
  const written = text.slice(from).trim();
  const condition = written.replace(/^(?:is|are|gets|becomes)\s+/iu, '');
  if (condition === '') throw new Problem(text.length, `say when to warn: ${CONDITIONS}`);
  const state = STATE.exec(condition);
  if (state?.[1]) return { is: state[1].toUpperCase() as 'DISABLED' | 'MISSING' | 'DOUBTFUL' };
  if (parameter === null)
    throw new Problem(
      from,
      `a part is disabled, missing or doubtful; for "${written}" name a parameter, as in "t1 of any qubit"`,
    );
  const level = LEVEL.exec(condition);
  if (level) return levelOf(level, from, metric, parameter);
  const older = OLDER.exec(condition);
  if (older) return { is: 'OLDER', hours: hoursOf(older[1], older[2], from) };
  const change = CHANGE.exec(condition);
  if (change) return changeOf(change, from, metric, parameter);
  if (
    /^(?:halves|doubles|(?:falls|drops|rises|increases|worsens)\s+by\s+\S+\s*(?:%|sigma|σ))$/iu.test(
      condition,
    )
  )
    // no claim: the words of a rule
    throw new Problem(text.length, 'say within which time: "within 7 days" or "since cooldown"');
  throw new Problem(from, `"${written}" is no condition; write ${CONDITIONS}`);
}

function levelOf(
  [, word = '', number, unit = '']: RegExpExecArray,
  from: number,
  metric: Metric | null,
  { name, isError }: Parameter,
): AlertTest {
  const isBelow = /^(?:below|under|less|lower|<)/iu.test(word);
  const value = Number(number);
  const shown = metric?.unit ?? canonicalUnit(unit);
  if (unit === '' && shown !== '') throw new Problem(from, `say in which unit: "${word} ${value} ${shown}"`);
  const factor = unitFactor(unit, shown);
  if (factor === null)
    throw new Problem(
      from,
      `${name} is in ${shown === '' ? 'no unit' : shown}, which ${unit} cannot be compared with`,
    );
  const inUnit = Number((value * factor).toPrecision(12));
  if (!Number.isFinite(inUnit)) throw new Problem(from, `${number} is too large`);
  // An error of 2 % is a fidelity of 98 %, and above the one is below the other.
  const limit = isError ? Number((100 - inUnit).toPrecision(12)) : inUnit;
  return { is: isBelow === isError ? 'ABOVE' : 'BELOW', limit: limit === 0 ? 0 : limit, unit: shown };
}

function changeOf(
  [, twice, verb = '', number, unit, span, spanUnit]: RegExpExecArray,
  from: number,
  metric: Metric | null,
  { name, isError }: Parameter,
): AlertTest {
  const hours = span === undefined ? null : hoursOf(span, spanUnit, from);
  if (isError) throw new Problem(from, `write the change of the fidelity, which is stored: ${name}`);
  if (twice)
    return {
      is: /^halves$/iu.test(twice) ? 'FALLS' : 'RISES',
      percent: /^halves$/iu.test(twice) ? 50 : 100,
      hours,
    };
  const amount = Number(number);
  const isFall = /^(?:falls|drops|decreases)$/iu.test(verb);
  const isWorse = /^(?:worsens|degrades)$/iu.test(verb);
  if (unit === '%' || unit?.toLowerCase() === 'percent') {
    const direction = isWorse ? worseWay(metric, name, from) : isFall ? 'FALLS' : 'RISES';
    const most = direction === 'FALLS' ? 100 : 10_000;
    if (!(amount > 0 && amount <= most))
      throw new Problem(from, `a value ${direction.toLowerCase()} by more than 0 and at most ${most} %`);
    return { is: direction, percent: amount, hours };
  }
  const worse = worseWay(metric, name, from);
  if (!isWorse && (worse === 'FALLS') !== isFall)
    throw new Problem(from, `${name} gets better so; write "worsens by ${amount} sigma"`);
  if (!(amount >= RULE_LIMITS.fewestSigma && amount <= 1_000))
    throw new Problem(
      from,
      `at least ${RULE_LIMITS.fewestSigma} sigma: values move by less than that by chance`,
    );
  return { is: 'WORSENS', sigma: amount, hours };
}

function worseWay(metric: Metric | null, name: string, from: number): 'FALLS' | 'RISES' {
  if (metric === null || metric.direction === 'NEUTRAL' || metric.good === null)
    throw new Problem(from, `of ${name} no way is worse; write "falls by 30 %" or "rises by 30 %"`);
  return metric.direction === 'HIGHER_IS_BETTER' ? 'FALLS' : 'RISES';
}

function hoursOf(number: string | undefined, unit = '', from: number): number {
  const hours = Number(
    ((/^h/iu.test(unit) ? 1 : /^d/iu.test(unit) ? 24 : 168) * Number(number)).toPrecision(12),
  );
  if (hours > 0 && hours <= RULE_LIMITS.hours) return hours;
  throw new Problem(from, 'a time is more than 0 hours and at most 10 years');
}
