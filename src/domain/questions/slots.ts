/** Reads what a clause names: parameters, qubits, a chip, counts and periods. */
import { METRIC_WORDS } from '../values/parameter-words.ts';
import { isKnownWord } from './lexicon.ts';
import { NUMBER_PATTERN, readNumber, STORED_NAME } from './vocabulary.ts';

/** What a clause names. */
export type Slots = {
  readonly metrics: readonly string[];
  /** Couplings as `0-1`, then qubits, each in the order of the clause. */
  readonly qids: readonly string[];
  readonly chipId: string | null;
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

/** Reads one clause. */
export function readSlots(clause: string): Slots {
  const task = readTask(clause);
  const couplings = readCouplings(task.rest);
  const qubits = readQubits(couplings.rest);
  const metrics = readMetrics(qubits.rest);
  const { rest } = metrics;
  const lastN = readLast(rest);
  const chipId = readChip(rest);
  return {
    metrics: metrics.found,
    qids: [...couplings.found, ...qubits.found],
    chipId,
    count: lastN === null ? readCount(rest) : null,
    lastN,
    windowHours: readWindow(rest),
    task: task.found[0] ?? null,
    unknown: unknownWords(rest, chipId),
    rest,
  };
}

type Found = { readonly found: readonly string[]; readonly rest: string };

/** Names of calibration tasks, as QDash has them: `CheckT1`, `ReadoutClassification`. */
const TASK =
  /\b(?:check|create|configure)[a-z]*(?:t1|t2|rabi|ramsey|spectroscopy|tomography|pulse|amplitude|readout|qubit|echo|state|status|chevron|noise)[a-z0-9]*\b|\b\w*(?:classification|benchmarking|tomography)\b/giu;

function readTask(clause: string): Found {
  const found = [...clause.matchAll(TASK)].map(([name]) => name);
  return { found, rest: clause.replaceAll(TASK, ' \u25a1 ') };
}

/** Unknown Latin words without digits. */
const unknownWords = (rest: string, chipId: string | null): readonly string[] =>
  [...rest.matchAll(/(?<![\w-])[a-z][a-z'-]{2,}(?![\w-])/giu)]
    .map(([word]) => word)
    .filter((word) => !isKnownWord(word) && word.toLowerCase() !== chipId?.toLowerCase());

/** Excludes dates, chips (`demo-64`) and words (`2-qubit`). */
const COUPLING = /(?<!qubits\s)(?<![\w-])(?:couplings?\s+)?q?(\d{1,4})-q?(\d{1,4})(?![\w-])/giu;

/** `0-1`, `Q00-Q01`, `coupling 4-1`. */
function readCouplings(clause: string): Found {
  const found = [...clause.matchAll(COUPLING)].map(
    ([, control, target]) => `${Number(control)}-${Number(target)}`,
  );
  return { found: [...new Set(found)], rest: clause.replaceAll(COUPLING, ' \u25a1 ') };
}

const QUBIT_LIST =
  /(?:\bqubits?|\bq|量子ビット|キュービット)[\s#_-]*(\d{1,4})(?!\d|\s*[個つ])((?:\s*(?:,\s*and|,|and|&|vs\.?|versus|to|through|-|–|~|〜|、|と|から)\s*(?:qubits?|q)?\s*#?\d{1,4}(?![\d%*]|\s*(?:%|[uμnm]s\b|[gmk]?hz\b)))*)/giu;

/** `Q3`, `qubit 7`, `qubits 3, 5 and Q07`, `Q0 to Q3`. */
function readQubits(clause: string): Found {
  const found: string[] = [];
  const rest = clause.replaceAll(QUBIT_LIST, (_match, first: string, others: string) => {
    let last = Number(first);
    found.push(String(last));
    for (const [, link = '', number = ''] of others.matchAll(/([^\d]*)(\d+)/gu)) {
      const next = Number(number);
      const isRange = /\b(?:to|through)\b|[-–~〜]|から/iu.test(link) && next > last && next - last < 128;
      for (let qid = isRange ? last + 1 : next; qid <= next; qid += 1) found.push(String(qid));
      last = next;
    }
    return ' \u25a1 ';
  });
  return { found: [...new Set(found)], rest };
}

function readMetrics(clause: string): Found {
  const places: { readonly name: string; readonly at: number }[] = [];
  let rest = clause;
  const take = (pattern: RegExp, nameOf: (match: string) => string) => {
    rest = rest.replaceAll(pattern, (match: string, ...more: unknown[]) => {
      const at = more.find((each) => typeof each === 'number') ?? 0;
      places.push({ name: nameOf(match), at });
      return '\u25a0'.padEnd(match.length, '\u25a0');
    });
  };
  take(STORED_NAME, (match) => match.toLowerCase());
  for (const [name, pattern] of METRIC_WORDS) take(pattern, () => name);
  const ordered = places.toSorted((a, b) => a.at - b.at).map(({ name }) => name);
  return { found: [...new Set(ordered)], rest };
}

const CHIP_PLACES: readonly RegExp[] = [
  /\bchip\s+([\w-]+)/giu,
  /\bhow(?:\s+is|'s|\s+are)\s+([\w-]+)/giu,
  /\b(?:on|for|about)\s+(?:chip\s+)?([a-z][\w-]*)(?![\w-]|\s*\u25a0)/giu,
  /\b(?:overview|summary|report|health|status|state|condition)\s+of\s+(?:chip\s+)?([a-z][\w-]*)/giu,
  /\b(?:of|from)\s+([\w-]*\d[\w-]*[a-z][\w-]*|[a-z][\w-]*-\d[\w-]*)/giu,
  /([\w-]+)\s*(?:チップ|の(?:状態|調子))/gu,
];

/**
 * `chip X`, `on X`, `how is X`; a word in the form of an id (`demo-64`) also after `of`. Known words are not
 * chips.
 */
function readChip(rest: string): string | null {
  for (const pattern of CHIP_PLACES) {
    for (const [, word = ''] of rest.matchAll(pattern)) {
      if (!isKnownWord(word) && !/^\d+$/u.test(word)) return word;
    }
  }
  return null;
}

/** `five qubits`, `top 5`, `worst three`, `3つ`; a qubit in the singular counts as one. */
function readCount(rest: string): number | null {
  const counted = new RegExp(
    `(?:top|bottom|best|worst|(?:high|low|long|short|larg|small)est|the|show|which|first|上位|下位|ワースト|ベスト)\\s*(${NUMBER_PATTERN})(?![\\w.%])|(?<![\\w.])(${NUMBER_PATTERN})(?:\\s+|-)?(?:best|worst|qubits?|couplings?|highest|lowest|longest|shortest|つ|個|量子)`,
    'iu',
  ).exec(rest);
  const number = readNumber(counted?.[1] ?? counted?.[2] ?? '');
  if (number !== null) return number;
  return /\b(?:which|what|the) (?:\w+ )?(?:qubit|coupling)\b(?!s)|どの量子ビット|一番|どれ/iu.test(rest)
    ? 1
    : null;
}

const NEWEST = '(?:last|past|recent|previous|newest|直近|過去)';
const LAST: readonly RegExp[] = [
  `(${NUMBER_PATTERN})\\s+(?:(?:most )?recent|newest|latest|last)\\b()`,
  `(?:${NEWEST}|latest)\\s*(?:most recent\\s*)?(${NUMBER_PATTERN})\\s*(?:failed\\s*|task\\s*)*(results?|runs?|values?|times?|failures?|tasks?)`,
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
  [24, /\bdays?\b|\btoday\b|\byesterday\b|日|今日|昨日/iu],
  [24 * 7, /\bweeks?\b|週/iu],
  [24 * 30, /\bmonths?\b|月/iu],
];

/** `this week`, `the last 3 days`: the length of a window. */
function readWindow(rest: string): number | null {
  const number = new RegExp(`(${NUMBER_PATTERN})\\s*(?:days?|weeks?|months?|日|週|か月)`, 'iu').exec(
    rest,
  )?.[1];
  const hours = HOURS.find(([, pattern]) => pattern.test(rest))?.[0];
  return hours === undefined ? null : hours * Math.max(1, readNumber(number ?? '') ?? 1);
}
