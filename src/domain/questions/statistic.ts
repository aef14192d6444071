/** Recognises the statistic that a clause asks for. */
import type { Ask } from './query.ts';
import type { Slots } from './slots.ts';

/** A figure over the qubits or couplings of a chip. */
export type Statistic =
  | { readonly type: 'mean' | 'median' | 'stdev' | 'min' | 'max' | 'distribution' | 'correlation' }
  | { readonly type: 'percentile'; readonly percent: number };

const PERCENTILE =
  /(?<!\d)(\d{1,3}(?:\.\d{1,15})?)\s?(?:st|nd|rd|th)?[\s-]{0,3}(?:%|percent)?[\s-]{0,3}(?:percentile|quantile|パーセンタイル)|\bp(\d{1,2})(?= of\b)/iu;
const CORRELATION =
  /\bcorrelat\w*|\brelat(?:ed|ionship|ion) between|\bdepends? on|\bgo(?:es)? (?:along|together) with|\bpearson(?: r)?|\bscatter[\s-]?(?:plot|chart)|\bscatter of|相関|散布図/iu;
const AGAINST =
  /\b(?:plot|plotted|draw|drawn|chart|graph)\b.{0,200}(?:\bagainst\b|\bversus\b|\bvs\b|\bover\b)|■ plotted against|■\s*(?:vs\.?|versus|against)\s*■|\bscatter\b/iu;
/** Of named parts other words for it mean a comparison. */
const PLOTTED =
  /\b(?:plot|plotted|draw|drawn|chart|graph|scatter)\b.{0,200}(?:\bagainst\b|\bversus\b|\bvs\b)/iu;
const DISTRIBUTION = /\bhistogram|\bdistribut\w*|\bspread(?: out)?\b|分布|ヒストグラム/iu;
const DEVIATION = /\bstandard deviations?|\bstd(?:ev)?\b|\bvarian\w*|\bscatter(?:ing)?\b|標準偏差|ばらつき/iu;
const MEDIAN = /\bmedians?\b|中央値|メ(?:ジ|ディ)アン/iu;
const MEAN = /\bmean\b|\baverages?\b|\btypical(?:ly)?|平均/iu;
const QUARTILE = /\b(?:(?:upper|lower|first|third) )?quartiles?\b/iu;

/** The words of statistics, for telling which words of a clause were read. */
export const STATISTIC_WORDS: readonly RegExp[] = [
  PERCENTILE,
  CORRELATION,
  DISTRIBUTION,
  DEVIATION,
  MEDIAN,
  MEAN,
  QUARTILE,
];

/** `mean and standard deviation`: an ask for each. */
export function eachFigure(ask: Ask, clause: string): readonly Ask[] {
  if (ask.kind !== 'statistic' || !SIMPLE.some(([type]) => type === ask.statistic?.type)) return [ask];
  const types = SIMPLE.flatMap(([type, words]) => (words.test(clause) ? [type] : []));
  return types.length < 2 ? [ask] : types.map((type) => ({ ...ask, statistic: { type } }));
}

const SIMPLE = [
  ['stdev', DEVIATION],
  ['median', MEDIAN],
  ['mean', MEAN],
] as const;

/** The statistic that a clause asks for, null for none. */
export function statisticOf({ rest, metrics, unknown, qids }: Slots): Statistic | null {
  const percent = PERCENTILE.exec(rest);
  if (percent !== null)
    return { type: 'percentile', percent: Math.min(100, Number(percent[1] ?? percent[2])) };
  if (QUARTILE.test(rest)) return { type: 'percentile', percent: /\bupper|third/iu.test(rest) ? 75 : 25 };
  if (CORRELATION.test(rest)) return { type: 'correlation' };
  if (metrics.length === 2 && (qids.length === 0 ? AGAINST : PLOTTED).test(rest))
    return { type: 'correlation' };
  // `how much did it spread (standard deviation)`
  if (DISTRIBUTION.test(rest) && !DEVIATION.test(rest)) return { type: 'distribution' };
  if (metrics.length === 0 && unknown.length === 0) return null;
  const [type] = SIMPLE.find(([, words]) => words.test(rest)) ?? [];
  return type === undefined ? null : { type };
}
