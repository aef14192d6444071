/** Parameters and numbers as questions name them, in English and Japanese. */

/** Parameter names as the database has them. */
export const STORED_NAME = /\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b/giu;

/** Parameters whose lowest value is the best. */
export const LOWER_IS_BETTER: ReadonlySet<string> = new Set(['anharmonicity', 'effective_temperature']);

/** Whether neither direction of a parameter is better, as of frequencies and lengths: its best is its highest. */
export const isNeutral = (metric: string): boolean =>
  !LOWER_IS_BETTER.has(metric) && !/^t[12](?![0-9a-z])|fidelity|coherence_limit/u.test(metric);

/** The fidelity of a chip's two-qubit gate, whichever it has: the first of these that there is. */
export const TWO_QUBIT_GATES: readonly string[] = [
  'zx90_gate_fidelity',
  'cz_gate_fidelity',
  'ecr_gate_fidelity',
  'cx_gate_fidelity',
  'rzz_gate_fidelity',
];

/** Parameters that belong to couplings. */
export const COUPLING_METRICS: ReadonlySet<string> = new Set([
  ...TWO_QUBIT_GATES,
  'bell_state_fidelity',
  'zx90_gate_time',
  'two_qubit_gate_coherence_limit',
  'static_zz_interaction',
]);

/** Whether an id names a coupling. */
export const isCoupling = (qid: string): boolean => qid.includes('-');

const NUMBER_WORDS: readonly string[] =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen'.split(
    ' ',
  );
const KANJI = '〇一二三四五六七八九十';

/** A count as a number, a word, or a Japanese numeral; null for anything else. */
export function readNumber(word: string): number | null {
  const text = word.normalize('NFKC').toLowerCase();
  if (/^\d{1,4}$/u.test(text)) return Number(text);
  if (text === 'dozen') return 12;
  const inEnglish = NUMBER_WORDS.indexOf(text);
  const inKanji = text.length === 1 ? KANJI.indexOf(text) : -1;
  return inEnglish >= 0 ? inEnglish : inKanji >= 0 ? inKanji : null;
}

/** Any of the words that {@link readNumber} reads, as a pattern. */
export const NUMBER_PATTERN = `(?:\\d{1,4}|dozen|${NUMBER_WORDS.join('|')}|[${KANJI}])`;

/** `in ms`, `in microseconds`: the unit to answer in. */
export const UNIT_ASKED =
  /\b(?:in|as|into)\s+(?:units? of\s+)?(ms|us|μs|ns|s|[gmk]?hz|milliseconds|microseconds|nanoseconds|seconds|gigahertz|megahertz|kilohertz|hertz|fraction)\b(?!\s*\u25a0)|(ミリ秒|マイクロ秒|ナノ秒|(?<![\d.]\s?)秒|(?<![\d.\s])[mμn]?s|[GMk]Hz)(?:単位)?で/iu;

const UNITS: Readonly<Record<string, string>> = {
  fraction: 'fraction',
  秒: 's',
  ms: 'ms',
  milliseconds: 'ms',
  ミリ秒: 'ms',
  us: 'μs',
  μs: 'μs',
  microseconds: 'μs',
  マイクロ秒: 'μs',
  ns: 'ns',
  nanoseconds: 'ns',
  ナノ秒: 'ns',
  s: 's',
  seconds: 's',
  ghz: 'GHz',
  gigahertz: 'GHz',
  mhz: 'MHz',
  megahertz: 'MHz',
  khz: 'kHz',
  kilohertz: 'kHz',
  hz: 'Hz',
  hertz: 'Hz',
};

/** The unit that a clause asks to be answered in; null for none. */
export function readUnit(rest: string): string | null {
  const [, english, japanese] = UNIT_ASKED.exec(rest) ?? [];
  return UNITS[(english ?? japanese ?? '').toLowerCase()] ?? null;
}
