/** Parameters and numbers as questions name them, in English and Japanese. */

/** Parameter names as the database has them. */
export const STORED_NAME = /\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b/giu;

/** Parameters where neither direction is better: their best and worst are highest and lowest. */
export const NEUTRAL_METRICS: ReadonlySet<string> = new Set([
  'qubit_frequency',
  'readout_frequency',
  'maximum_rabi_frequency',
  'rabi_frequency',
]);

/** Parameters whose lowest value is the best. */
export const LOWER_IS_BETTER: ReadonlySet<string> = new Set(['anharmonicity', 'static_zz_interaction']);

/** Parameters that belong to couplings. */
export const COUPLING_METRICS: ReadonlySet<string> = new Set([
  'zx90_gate_fidelity',
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
