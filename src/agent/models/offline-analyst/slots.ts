/** Reads the things that a clause names: parameters, qubits, a chip, how many. */
import { METRIC_WORDS } from '../../../domain/parameter-words.ts';
import { COMMON_WORDS, NUMBER_PATTERN, readNumber, STORED_NAME } from './vocabulary.ts';

/** What a clause names. */
export type Slots = {
  readonly metrics: readonly string[];
  /** Qubits, and couplings as `0-1`, in the order in which they stand there. */
  readonly qids: readonly string[];
  readonly chipId: string | null;
  readonly count: number | null;
  readonly lastN: number | null;
  readonly windowHours: number | null;
  /** The clause without the names of parameters and qubits, so that their words and digits mean nothing else. */
  readonly rest: string;
};

/** Reads one clause. */
export function readSlots(clause: string): Slots {
  const couplings = readCouplings(clause);
  const qubits = readQubits(couplings.rest);
  const metrics = readMetrics(qubits.rest);
  const lastN = readLast(metrics.rest);
  return {
    metrics: metrics.found,
    qids: [...couplings.found, ...qubits.found],
    chipId: readChip(metrics.rest),
    count: lastN === null ? readCount(metrics.rest) : null,
    lastN,
    windowHours: readWindow(metrics.rest),
    rest: metrics.rest,
  };
}

type Found = { readonly found: readonly string[]; readonly rest: string };

/** No date, no chip (`demo-64`) and no word (`2-qubit`). */
const COUPLING = /(?<![\w-])(?:couplings?\s+)?q?(\d{1,4})-q?(\d{1,4})(?![\w-])/giu;

/** `0-1`, `Q00-Q01`, `coupling 4-1`. */
function readCouplings(clause: string): Found {
  const found = [...clause.matchAll(COUPLING)].map(
    ([, control, target]) => `${Number(control)}-${Number(target)}`,
  );
  return { found: [...new Set(found)], rest: clause.replaceAll(COUPLING, ' \u25a1 ') };
}

const QUBIT_LIST =
  /(?:\bqubits?|\bq|量子ビット|キュービット)[\s#_-]*(\d{1,4})(?!\d)((?:\s*(?:,\s*and|,|and|&|vs\.?|versus|to|through|、|と|から)\s*(?:qubits?|q)?\s*#?\d{1,4}(?![\d%*]))*)/giu;

/** `Q3`, `qubit 7`, `qubits 3, 5 and Q07`, `Q0 to Q3`. */
function readQubits(clause: string): Found {
  const found: string[] = [];
  const rest = clause.replaceAll(QUBIT_LIST, (_match, first: string, others: string) => {
    let last = Number(first);
    found.push(String(last));
    for (const [, link = '', number = ''] of others.matchAll(/([^\d]*)(\d+)/gu)) {
      const next = Number(number);
      const isRange = /\b(?:to|through)\b|から/iu.test(link) && next > last && next - last < 32;
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

/** `chip X`, `on X`, `how is X`; a word that looks like an id (`demo-64`) also after `of`. */
function readChip(rest: string): string | null {
  const named = [
    /\bchip\s+([\w-]+)/iu,
    /\bhow(?:\s+is|'s|\s+are)\s+([\w-]+)/iu,
    /\b(?:on|for|about|to|at)\s+(?:chip\s+)?([a-z][\w-]*)/iu,
    /\b(?:of|from)\s+([\w-]*\d[\w-]*[a-z][\w-]*|[a-z][\w-]*-\d[\w-]*)/iu,
    /([\w-]+)\s*(?:チップ|の(?:状態|調子))/u,
  ];
  for (const pattern of named) {
    const word = pattern.exec(rest)?.[1];
    if (word !== undefined && !COMMON_WORDS.has(word.toLowerCase()) && !/^\d+$/u.test(word)) return word;
  }
  return null;
}

/** `five qubits`, `top 5`, `worst three`, `3つ`; a qubit in the singular is one. */
function readCount(rest: string): number | null {
  const counted = new RegExp(
    `(?:top|bottom|best|worst|the|show|which|first|上位|下位|ワースト|ベスト)\\s*(${NUMBER_PATTERN})(?![\\w.%])|(?<![\\w.])(${NUMBER_PATTERN})(?:\\s+|-)?(?:best|worst|qubits?|couplings?|highest|lowest|longest|shortest|つ|個|量子)`,
    'iu',
  ).exec(rest);
  const number = readNumber(counted?.[1] ?? counted?.[2] ?? '');
  if (number !== null) return number;
  return /\b(?:which|what|the) (?:\w+ )?(?:qubit|coupling)\b(?!s)|どの量子ビット/iu.test(rest) ? 1 : null;
}

/** `last 30 days`, `last twenty results`, `直近30`. Runs are about daily, so a day counts as one. */
function readLast(rest: string): number | null {
  const match = new RegExp(
    `(?:last|past|recent|previous|newest|直近|過去)\\s*(${NUMBER_PATTERN})?\\s*(days?|weeks?|months?|results?|runs?|points?|measurements?|日|週|回)`,
    'iu',
  ).exec(rest);
  if (match === null) return null;
  const number = readNumber(match[1] ?? '') ?? 1;
  const unit = (match[2] ?? '').toLowerCase();
  const days = /^(?:week|週)/u.test(unit) ? 7 : unit.startsWith('month') ? 30 : 1;
  return Math.min(200, Math.max(2, number * days));
}

const HOURS: readonly (readonly [hours: number, pattern: RegExp])[] = [
  [24, /\bdays?\b|\btoday\b|\byesterday\b|日|今日|昨日/iu],
  [24 * 7, /\bweeks?\b|週/iu],
  [24 * 30, /\bmonths?\b|月/iu],
];

/** `this week`, `the last 3 days`: how long a window is. */
function readWindow(rest: string): number | null {
  const number = new RegExp(`(${NUMBER_PATTERN})\\s*(?:days?|weeks?|months?|日|週|か月)`, 'iu').exec(
    rest,
  )?.[1];
  const hours = HOURS.find(([, pattern]) => pattern.test(rest))?.[0];
  return hours === undefined ? null : hours * Math.max(1, readNumber(number ?? '') ?? 1);
}
