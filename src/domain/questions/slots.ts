/** Reads what a clause names: parameters, qubits, a chip, counts and periods. */
import { METRIC_WORDS } from '../values/parameter-words.ts';
import type { Mention } from './conditions.ts';
import { isKnownWord } from './lexicon.ts';
import { NO_NAMES, type KnownNames } from './query.ts';
import { NUMBER_PATTERN, readNumber, STORED_NAME, TWO_QUBIT_GATES } from './vocabulary.ts';

/** What a clause names. */
export type Slots = {
  readonly metrics: readonly string[];
  /** Where they are named. */
  readonly mentions: readonly Mention[];
  /** Couplings as `0-1`, then qubits, each in the order of the clause. */
  readonly qids: readonly string[];
  /** Those that are to be left out. */
  readonly excluded: readonly string[];
  readonly chipId: string | null;
  /** All known chips that are named. */
  readonly chipIds: readonly string[];
  readonly count: number | null;
  readonly lastN: number | null;
  readonly windowHours: number | null;
  /** A calibration task, as written. */
  readonly task: string | null;
  /** Unknown words, in order: the name of an unknown parameter is among them. */
  readonly unknown: readonly string[];
  /** The clause without the names of parameters and qubits, so that their words and digits are read only once. */
  readonly rest: string;
};

/** Reads one clause. Whatever is read is blanked in `rest` by signs of the same length. */
export function readSlots(clause: string, names: KnownNames = NO_NAMES): Slots {
  const task = readTask(clause, names.tasks);
  const couplings = readCouplings(task.rest);
  const qubits = readQubits(couplings.rest);
  const isOfAll = couplings.found.length + qubits.found.length !== 1 && !IN_ORDER.test(clause);
  const metrics = readMetrics(qubits.rest, names.parameters, isOfAll);
  const { rest } = metrics;
  const lastN = readLast(rest);
  const chipId = readChip(rest, names.chips);
  const chipIds = names.chips.filter((name) => namePattern([name]).test(rest));
  return {
    metrics: [...new Set(metrics.mentions.map(({ metric }) => metric))],
    mentions: metrics.mentions,
    qids: [...couplings.found, ...qubits.found],
    excluded: [...couplings.excluded, ...qubits.excluded],
    chipId,
    chipIds,
    count: lastN === null ? readCount(rest) : null,
    lastN,
    windowHours: readWindow(rest),
    task: task.found[0] ?? null,
    unknown: unknownWords(rest, chipId === null ? chipIds : [chipId, ...chipIds]),
    rest,
  };
}

/** `text` with what `pattern` matches blanked by a sign that is part of no word. */
export const blanked = (text: string, pattern: RegExp, sign = '▫'): string =>
  text.replaceAll(pattern, (match) => sign.repeat(match.length));

const escaped = (name: string): string => name.replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&');

/** Any of some names as a whole word, in any case; `_` may be written as a blank. Matches nothing for none. */
export const namePattern = (names: readonly string[]): RegExp =>
  names.length === 0
    ? /(?!)/gu
    : new RegExp(
        `(?<![\\w-])(?:${names
          .toSorted((a, b) => b.length - a.length)
          .map((name) => escaped(name).replaceAll('_', '[_ -]'))
          .join('|')})(?![\\w-])`,
        'giu',
      );

type Found = {
  readonly found: readonly string[];
  readonly excluded: readonly string[];
  readonly rest: string;
};

/** Names of calibration tasks, as QDash has them: `CheckT1`, `ReadoutClassification`. */
const TASK =
  /\b(?:check|create|configure)[a-z]*(?:t1|t2|rabi|ramsey|spectroscopy|tomography|pulse|amplitude|readout|qubit|echo|state|status|chevron|noise)[a-z0-9]*\b|\b\w*(?:classification|benchmarking|tomography)\b/giu;

function readTask(clause: string, known: readonly string[]): Found {
  const found = [TASK, namePattern(known)].flatMap((pattern) => clause.match(pattern) ?? []);
  return { found, excluded: [], rest: blanked(blanked(clause, TASK, '▢'), namePattern(known), '▢') };
}

/** Unknown Latin words without digits. */
const unknownWords = (rest: string, chipIds: readonly string[]): readonly string[] =>
  [...rest.matchAll(/(?<![\w-])[a-z][a-z'-]{2,}(?![\w-])/giu)]
    .map(([word]) => word)
    .filter(
      (word) => !isKnownWord(word) && !chipIds.some((name) => name.toLowerCase() === word.toLowerCase()),
    );

/** Excludes dates, chips (`demo-64`) and words (`2-qubit`). */
const COUPLING = /(?<!qubits\s)(?<![\w-])(?:couplings?\s+)?q?(\d{1,4})-q?(\d{1,4})(?![\w-])/giu;
/** `the CZ gate between 12 and 13`. */
const BETWEEN =
  /(?<=\b(?:gates?|cx|cz|ecr|cnot|zx90|zz|fidelit(?:y|ies)|errors?)\b[^.?!]{0,40}\b)(?:between|from)\s+(?:qubits?\s*|q)?(\d{1,4})\s+(?:and|to)\s+(?:qubit\s*|q)?(\d{1,4})(?![\d.%]|\s*(?:%|[uμnm]s\b|[gmk]?hz\b|percent|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))/giu;

/** Words before and after the names of parts that leave them out. */
const WITHOUT =
  /(?:without|except(?:\s+for)?|excluding|but\s+not|other\s+than|apart\s+from|aside\s+from|ignor(?:e|ing)|disregarding|leaving\s+out|omitting|skipping|minus|not(?:\s+counting|\s+including)?)\s+(?:the\s+)?$/iu;
/** Characters that such words have at most. */
const LONGEST_WORDS = 40;
const WITHOUT_AFTER = /^\s*(?:以外|を?除|抜き|を?無視)/u;

/** Blanks parts, and separates those that are excluded from the others. */
function partsIn(
  clause: string,
  pattern: RegExp,
  idsOf: (match: RegExpExecArray) => readonly string[],
): Found {
  const found: string[] = [];
  const excluded: string[] = [];
  let rest = clause;
  for (const match of clause.matchAll(pattern)) {
    const [text] = match;
    const end = match.index + text.length;
    const before = clause.slice(Math.max(0, match.index - LONGEST_WORDS), match.index);
    const after = clause.slice(end, end + LONGEST_WORDS);
    const isOut = WITHOUT.test(before) || WITHOUT_AFTER.test(after);
    (isOut ? excluded : found).push(...idsOf(match));
    const word = isOut ? (WITHOUT.exec(before)?.[0] ?? '') : '';
    const from = match.index - word.length;
    const tail = isOut ? (WITHOUT_AFTER.exec(after)?.[0] ?? '') : '';
    const to = end + tail.length;
    rest = `${rest.slice(0, from)}${'\u25a1'.repeat(to - from)}${rest.slice(to)}`;
  }
  return { found: [...new Set(found)], excluded: [...new Set(excluded)], rest };
}

/** `0-1`, `Q00-Q01`, `coupling 4-1`. */
function readCouplings(clause: string): Found {
  const idOf = ([, control, target]: RegExpExecArray): readonly string[] => [
    `${Number(control)}-${Number(target)}`,
  ];
  const dashed = partsIn(clause, COUPLING, idOf);
  const between = partsIn(dashed.rest, BETWEEN, idOf);
  return { ...between, found: [...dashed.found, ...between.found], excluded: dashed.excluded };
}

const QUBIT_LIST =
  /(?:\bqubits?|\bq|量子ビット|キュービット)[\s#_-]*(\d{1,4})(?!\d|\s*[個つ])((?:\s*(?:,\s*and|,|and|or|&|vs\.?|versus|to|through|-|–|~|〜|、|と|から)\s*(?:qubits?|q)?\s*#?\d{1,4}(?![\d%*]|\s*(?:%|[uμnm]s\b|[gmk]?hz\b)))*)|(?<![\d.])()(\d{1,4})番(?:目)?(?:の?量子ビット)?/giu;

/** `Q3`, `qubit 7`, `qubits 3, 5 and Q07`, `Q0 to Q3`, `12番`. */
const readQubits = (clause: string): Found =>
  partsIn(clause, QUBIT_LIST, ([, first = '', others = '', , numbered]) => {
    const found: string[] = [];
    let last = Number(numbered ?? first);
    found.push(String(last));
    for (const [, link = '', number = ''] of others.matchAll(/(\D{0,20})(\d{1,4})/gu)) {
      const next = Number(number);
      const isRange = /\b(?:to|through)\b|[-–~〜]|から/iu.test(link) && next > last && next - last < 128;
      for (let qid = isRange ? last + 1 : next; qid <= next; qid += 1) found.push(String(qid));
      last = next;
    }
    return found;
  });

/** Words by which `average readout error` is the parameter of that name, not a mean. */
const IN_ORDER =
  /\b(?:best|worst|top|bottom|highest|lowest|rank\w*|by|map|heat\w*|compare|trend|history|plot|qubits? with)\b/iu;

const ERROR = /\berrors?\b|infidelit|エラー|誤り/iu;

function readMetrics(clause: string, known: readonly string[], isOfAll: boolean) {
  const mentions: Mention[] = [];
  let rest = clause;
  const take = (pattern: RegExp, nameOf: (match: string) => string) => {
    rest = rest.replaceAll(pattern, (match: string, ...more: unknown[]) => {
      const at = more.find((each) => typeof each === 'number') ?? 0;
      const metric = nameOf(match);
      // `gate error`, `error of the CZ gate`: the word may come before the parameter, too.
      const isError =
        metric.endsWith('fidelity') &&
        (ERROR.test(match) || ERROR.test(clause.slice(Math.max(0, at - 22), at)));
      mentions.push({ metric, isError, at, end: at + match.length });
      // Of none or several parts it is the mean over them.
      const mean = isOfAll && /^average /iu.test(match) ? 'average '.length : 0;
      return match.slice(0, mean) + '\u25a0'.repeat(match.length - mean);
    });
  };
  const stored = (match: string): string => match.toLowerCase().replaceAll(/[ -]/gu, '_');
  take(namePattern(known), (match) => known.find((name) => name.toLowerCase() === stored(match)) ?? match);
  take(STORED_NAME, stored);
  for (const [name, pattern] of METRIC_WORDS) take(pattern, (match) => onChip(name, match, known));
  if (mentions.length === 0 && OF_GATES.test(rest)) {
    const isOfErrors = ERROR.test(rest);
    take(GATE_FIGURE, () => onChip(TWO_QUBIT_GATES[0] ?? '', '', known));
    return { mentions: mentions.map((each) => ({ ...each, isError: isOfErrors })), rest };
  }
  return { mentions: withErrors(mentions, rest).toSorted((a, b) => a.at - b.at), rest };
}

/** `pairs with an error below 0.3 %`: of a pair without a name of its gate it is that of the two-qubit gate. */
const OF_GATES =
  /\b(?:gates?|pairs?|coupl(?:ings?|ers?)|edges?|links?)\b|(?<![\w])\d+-\d+(?![\w-])|カップリング|ペア|ゲート|□/iu;
const GATE_FIGURE = /\b(?:errors?(?: rates?)?|infidelit(?:y|ies)|fidelit(?:y|ies))\b|エラー(?:率)?|忠実度/giu;

/** `CX gates with an error above 5 %`: the word alone is about the fidelity nearest to it. */
function withErrors(mentions: readonly Mention[], rest: string): readonly Mention[] {
  if (mentions.some(({ isError }) => isError)) return mentions;
  const at = ERROR.exec(rest)?.index;
  const distance = (mention: Mention): number => Math.abs(mention.at - (at ?? 0));
  const fidelities = mentions.filter(({ metric }) => metric.endsWith('fidelity'));
  const nearest = at === undefined ? undefined : fidelities.toSorted((a, b) => distance(a) - distance(b))[0];
  return mentions.map((mention) => (mention === nearest ? { ...mention, isError: true } : mention));
}

/** The chip's own name for a gate that people call by another; as written where nothing is known of the chip. */
function onChip(name: string, written: string, known: readonly string[]): string {
  if (name !== TWO_QUBIT_GATES[0] || known.length === 0 || /zx90/iu.test(written)) return name;
  const own = /\bc(?:x|not)\b/iu.test(written) ? 'cx' : /\becr\b/iu.test(written) ? 'ecr' : null;
  const meant = own === null ? TWO_QUBIT_GATES : [`${own}_gate_fidelity`, name];
  return meant.find((each) => known.includes(each)) ?? meant[0] ?? name;
}

const CHIP_PLACES: readonly RegExp[] = [
  /\bchip\s+([\w-]+)/giu,
  /\bhow(?:\s+is|'s|\s+are)\s+([\w-]+)/giu,
  /\b(?:on|for|about)\s+(?:chip\s+)?([a-z][\w-]*)(?![\w-]|\s*\u25a0)/giu,
  /\b(?:overview|summary|report|health|status|state|condition)\s+of\s+(?:chip\s+)?([a-z][\w-]*)/giu,
  /\b(?:of|from)\s+([\w-]*\d[\w-]*[a-z][\w-]*|[a-z][\w-]*-\d[\w-]*)/giu,
  /(?<![\w-])([\w-]+)\s?(?:の?チップ|の(?:状態|調子))/gu,
];

/**
 * `chip X`, `on X`, `how is X`; a word in the form of an id (`demo-64`) also after `of`. Known words are not
 * chips.
 */
function readChip(rest: string, known: readonly string[]): string | null {
  const named = namePattern(known).exec(rest)?.[0].toLowerCase();
  if (named !== undefined) return known.find((name) => name.toLowerCase() === named) ?? named;
  for (const pattern of CHIP_PLACES) {
    for (const [, word = ''] of rest.matchAll(pattern)) {
      if (!isKnownWord(word) && !/^\d+$/u.test(word)) return word;
    }
  }
  return null;
}

/**
 * The chip that a clause names: a known one, else by the word “chip” beside it or a name such as `demo-64`; null where
 * it may mean something else, for a job that begins with a wrong guess looks at another chip.
 */
export function chipIn(clause: string, known: readonly string[]): string | null {
  const name = readChip(clause, known)?.replace(/(?<![.,])[.,]+$/u, '') ?? null;
  const isSure = (each: string): boolean =>
    known.includes(each) ||
    /^[a-z]+-\d/iu.test(each) ||
    new RegExp(
      `\\bchips?\\s+(?:called |named )?["“]?${escaped(each)}|${escaped(each)}\\s*(?:の)?チップ`,
      'iu',
    ).test(clause);
  return name !== null && isSure(name) ? name : null;
}

/** `five qubits`, `top 5`, `worst three`, `3つ`. */
export const COUNT = new RegExp(
  `(?:top|bottom|best|worst|(?:high|low|long|short|larg|small|bigg)est|the|show|which|first|上位|下位|ワースト|ベスト)\\s*-?\\s*(${NUMBER_PATTERN})(?![\\w.%-]|\\s*(?:%|percent))|(?<![\\w.])(${NUMBER_PATTERN})(?:\\s+|-)?(?:best|worst|qubits?|couplings?|pairs|gates|highest|lowest|longest|shortest|largest|smallest|biggest|greatest|strongest|steepest|poorest|weakest|of (?:them|those)|つ|個|量子)`,
  'iu',
);

/** `133個のうち`, `how many of the 133 qubits`: all there are, of which the answer says how many they are. */
export const OUT_OF = new RegExp(
  `(?<=\\bhow many )(?:of|out of) (?:the |all |these |those )*${NUMBER_PATTERN} (?:qubits|couplings|pairs|gates)\\b|${NUMBER_PATTERN}(?:個|量子ビット)(?:のうち|の?中)`,
  'iu',
);

/** A qubit in the singular counts as one. */
function readCount(rest: string): number | null {
  const counted = COUNT.exec(rest.replace(OUT_OF, ''));
  const number = readNumber(counted?.[1] ?? counted?.[2] ?? '');
  if (number !== null) return number;
  return /\b(?:which|what|the) (?:\w+ )?(?:qubit|coupling|pair|gate)\b(?!s)|\bwhich ■+ (?:is|has)\b|どの量子ビット|一番|どれ/iu.test(
    rest,
  )
    ? 1
    : null;
}

const NEWEST = '(?:last|past|recent|previous|newest|直近|過去)';
/** The ways to name so many of the newest. */
export const LAST: readonly RegExp[] = [
  `(${NUMBER_PATTERN})\\s+(?:(?:most )?recent|newest|latest|last)\\b()`,
  `(?:${NEWEST}|latest)\\s*(?:most recent\\s*)?(${NUMBER_PATTERN})\\s*(?:failed\\s*|task\\s*)*(results?|runs?|values?|times?|failures?|fails?|tasks?)`,
  `${NEWEST}\\s*(${NUMBER_PATTERN})?\\s*(days?|weeks?|months?|results?|runs?|points?|measurements?|日|週|回|件)`,
].map((pattern) => new RegExp(pattern, 'iu'));

/** `last 30 days`, `last twenty results`, `3 most recent`, `直近30`. A day counts as one run: runs are about daily. */
function readLast(rest: string): number | null {
  const [, written = '', word = ''] =
    LAST.map((pattern) => pattern.exec(rest)).find((found) => found !== null) ?? [];
  if (written === '' && word === '') return null;
  const number = readNumber(written) ?? 1;
  const unit = word.toLowerCase();
  const days = /^(?:week|週)/u.test(unit) ? 7 : unit.startsWith('month') ? 30 : 1;
  return Math.min(200, Math.max(2, number * days));
}

const HOURS: readonly (readonly [hours: number, pattern: RegExp])[] = [
  [1, /\b(?:last|past|previous) (?:\w+ )?hours?\b|(?:直近|過去)(?:の)?\s*\d+\s*時間/iu],
  [24, /\bdays?\b|\btoday\b|\byesterday\b|(?<!曜)日/iu],
  [24 * 7, /\bweeks?\b|週/iu],
  [24 * 30, /\bmonths?\b|月/iu],
];

/** `this week`, `the last 3 days`: the length of a window. */
function readWindow(rest: string): number | null {
  const number = new RegExp(
    `(${NUMBER_PATTERN})\\s*(?:hours?|days?|weeks?|months?|時間|日|週|か月)`,
    'iu',
  ).exec(rest)?.[1];
  const hours = HOURS.find(([, pattern]) => pattern.test(rest))?.[0];
  return hours === undefined ? null : hours * Math.max(1, readNumber(number ?? '') ?? 1);
}
