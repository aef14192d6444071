/** Recognises the statistic that a clause asks for. */
import type { Statistic } from './ask.ts';
import type { Slots } from '../../domain/questions/slots.ts';

const PERCENTILE =
  /(\d+(?:\.\d+)?)\s*(?:st|nd|rd|th)?[\s-]*(?:%|percent)?[\s-]*(?:percentile|quantile|パーセンタイル)|\bp(\d{1,2})(?= of\b)/iu;
const CORRELATION =
  /\bcorrelat|\brelat(?:ed|ionship|ion) between|\bdepends? on|\bgo(?:es)? (?:along|together) with|\bpearson|\bscatter[\s-]?(?:plot|chart)|\bscatter of|相関|散布図/iu;
const AGAINST =
  /\b(?:plot|plotted|draw|drawn|chart|graph)\b.*(?:\bagainst\b|\bversus\b|\bvs\b|\bover\b)|■ plotted against|■\s*(?:vs\.?|versus|against)\s*■|\bscatter\b/iu;
const DISTRIBUTION = /\bhistogram|\bdistribut|\bspread\b|分布|ヒストグラム/iu;
const DEVIATION = /\bstandard deviation|\bstd(?:ev)?\b|\bvarian|\bscatter(?:ing)?\b|標準偏差|ばらつき/iu;
const MEDIAN = /\bmedian|中央値/iu;
const MEAN = /\bmean\b|\baverage\b|\btypical|平均/iu;

const ABOVE =
  'above|over|more than|greater than|at least|exceed(?:s|ing)?|longer than|higher than|better than|beyond|>=?';
const BELOW = 'below|under|less than|at most|shorter than|lower than|worse than|<=?';
const UNIT = '(μs|us|ms|ns|s|%|percent|ghz|mhz|khz|hz)?';
const LIMIT = new RegExp(`(?:(${ABOVE})|(${BELOW}))\\s*(-?\\d+(?:\\.\\d+)?)\\s*${UNIT}(?![a-z])`, 'iu');
const JAPANESE_LIMIT = new RegExp(
  `(-?\\d+(?:\\.\\d+)?)\\s*${UNIT}\\s*(?:(以上|超|より(?:長|高|大|良)|を(?:上回|超え))|(未満|以下|より(?:短|低|小|悪)|を下回))`,
  'iu',
);

/** The statistic that a clause asks for, null for none. */
export function statisticOf({ rest, metrics, unknown, qids }: Slots): Statistic | null {
  const percent = PERCENTILE.exec(rest);
  if (percent !== null)
    return { type: 'percentile', percent: Math.min(100, Number(percent[1] ?? percent[2])) };
  if (/\bquartile/iu.test(rest))
    return { type: 'percentile', percent: /\bupper|third/iu.test(rest) ? 75 : 25 };
  if (CORRELATION.test(rest)) return { type: 'correlation' };
  if (metrics.length === 2 && qids.length === 0 && AGAINST.test(rest)) return { type: 'correlation' };
  if (DISTRIBUTION.test(rest)) return { type: 'distribution' };
  if (metrics.length === 0 && unknown.length === 0) return null;
  const limit = limitOf(rest);
  if (limit !== null) return limit;
  if (DEVIATION.test(rest)) return { type: 'deviation' };
  if (MEDIAN.test(rest)) return { type: 'median' };
  return MEAN.test(rest) ? { type: 'mean' } : null;
}

function limitOf(rest: string): Statistic | null {
  const [, above, , number, unit = ''] = LIMIT.exec(rest) ?? [];
  if (number !== undefined) {
    return { type: 'count', side: above === undefined ? 'below' : 'above', limit: Number(number), unit };
  }
  const [, limit, written = '', more] = JAPANESE_LIMIT.exec(rest) ?? [];
  if (limit === undefined) return null;
  return { type: 'count', side: more === undefined ? 'below' : 'above', limit: Number(limit), unit: written };
}
