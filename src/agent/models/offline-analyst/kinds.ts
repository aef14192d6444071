/** Tells by its words what a clause is about. */
import type { AskKind, Statistic } from './ask.ts';
import type { Slots } from './slots.ts';
import { COUPLING_METRICS, isCoupling } from './vocabulary.ts';

/** Patterns of kinds, the special before the general; the first that fits is what the clause is about. */
const KINDS: readonly (readonly [kind: AskKind, pattern: RegExp])[] = [
  [
    'parameters',
    /\b(?:what|which|list|available|all)\b.*\b(?:parameters|metrics)\b|\bparameters (?:exist|are)\b|\bwhat (?:data|can you (?:show|measure))\b|パラメータ/iu,
  ],
  [
    'outliers',
    /\boutl(?:ier|ying)|\banomal|\bunusual|\babnormal|\bstand(?:s|ing)? out|\bstrange|\bsuspicious|\bodd\b|外れ|異常/iu,
  ],
  [
    'periods',
    /\b(?:this|last|past)\b.{0,20}\b(?:days?|weeks?|months?)\b.{0,40}\b(?:with|to|against|versus|vs|than|and|from)\b.{0,20}\b(?:last|previous|before|one before)\b|\b(?:today|yesterday)\b.{0,40}\b(?:with|to|against|versus|vs|than)\b|\b(?:day|week|month)[\s-]over[\s-](?:day|week|month)\b|\bsince (?:yesterday|last (?:week|month))\b|(?:今週|先週|今日|昨日|今月|先月).*(?:比較|比べ|対)/iu,
  ],
  [
    'trend',
    /\btrend|\bover time|\bhistory\b|\btime[\s-]?series|\bchang(?:e[ds]?|ing)\b|\bdrift|\bgetting (?:worse|better)|\bgot(?:ten)? (?:worse|better)|\bdegrad|\bimprov|\bevol(?:ve|ution)|\bdeveloped\b|推移|時系列|トレンド|変化|履歴|劣化/iu,
  ],
  ['compare', /\bcompar|\bversus\b|\bvs\b|\bdifferences? between|\bside by side|比較|比べ|違い/iu],
  [
    'rank',
    /\b(?:best|worst|top|bottom|highest|lowest|shortest|longest|largest|smallest|biggest|poorest|weakest|strongest|rank(?:ing)?|least|most|minimum|maximum)\b|最も|最高|最低|最大|最小|一番|短い|長い|高い|低い|良い|悪い|ワースト|ベスト|上位|下位/iu,
  ],
  [
    'topology',
    /\btopolog|\blayout|\bneighbou?r|\bcoupled\b|\bcouplings?\b|\bconnect|\badjacent|\blattice|\bnext to\b|トポロジ|隣接?|接続|配置|結合/iu,
  ],
  [
    'health',
    /\bhealth|\boverall|\bstatus\b|\bsummar|\boverview|\bstate of\b|\bhow(?:'s| is| are| does)\b|\bproblems?\b|\bcondition\b|健康|状態|概要|サマリ|まとめ|調子/iu,
  ],
];

/** What a clause is about; a heatmap may be asked for along with anything else. */
export function kindsOf(clause: string, slots: Slots): readonly AskKind[] {
  const wantsHeatmap = /\bheat[\s-]?map|\bmap of\b|ヒートマップ|マップ/iu.test(clause);
  const kind = statisticOf(slots) === null ? primaryKind(slots) : 'statistic';
  if (!wantsHeatmap) return kind === null ? [] : [kind];
  return kind === null || kind === 'health' || kind === 'topology' ? ['heatmap'] : [kind, 'heatmap'];
}

function primaryKind({ rest, qids, metrics }: Slots): AskKind | null {
  const fitting = KINDS.find(([, pattern]) => pattern.test(rest))?.[0] ?? null;
  switch (fitting) {
    case 'compare':
      return qids.length > 1 ? 'compare' : metrics.length > 0 ? 'figures' : null;
    case 'health':
      return qids.length > 0 ? 'values' : metrics.length > 0 ? 'figures' : 'health';
    case 'rank':
      return qids.length > 0 ? (qids.length > 1 ? 'compare' : 'values') : 'rank';
    case 'topology':
      return qids.some(isCoupling)
        ? 'values'
        : metrics.some((name) => COUPLING_METRICS.has(name))
          ? 'rank'
          : 'topology';
    case 'outliers':
    case 'parameters':
    case 'periods':
    case 'trend':
    case null:
      return fitting;
    case 'figures':
    case 'heatmap':
    case 'statistic':
    case 'values':
      throw new Error(`${fitting} has no pattern of its own`);
  }
}

/** A clause that only names things: values of qubits, or the figures of a parameter. */
export function defaultKind(clause: string, { metrics, qids }: Slots): AskKind | null {
  if (qids.length > 1) return 'compare';
  if (qids.length === 1) return 'values';
  return metrics.length > 0 && clause.length < 200 ? 'figures' : null;
}

/** The statistic that a clause asks for, null for none. */
export function statisticOf({ rest, metrics }: Slots): Statistic | null {
  const percent =
    /(\d+(?:\.\d+)?)\s*(?:st|nd|rd|th)?[\s-]*(?:percentile|パーセンタイル)|(\d+(?:\.\d+)?)\s*%\s*(?:percentile|quantile)/iu.exec(
      rest,
    );
  if (percent !== null)
    return { type: 'percentile', percent: Math.min(100, Number(percent[1] ?? percent[2])) };
  if (/\bquartile/iu.test(rest))
    return { type: 'percentile', percent: /\bupper|third/iu.test(rest) ? 75 : 25 };
  if (/\bcorrelat|\brelat(?:ed|ionship|ion) between|\bdepends? on|相関/iu.test(rest))
    return { type: 'correlation' };
  if (/\bhistogram|\bdistribut|\bspread\b|分布/iu.test(rest)) return { type: 'distribution' };
  const limit =
    /(above|over|more than|greater than|at least|exceed(?:s|ing)?|longer than|higher than|better than|>=?|below|under|less than|at most|shorter than|lower than|worse than|<=?)\s*(\d+(?:\.\d+)?)/iu.exec(
      rest,
    );
  if (limit !== null && metrics.length > 0) {
    const side = /^(?:below|under|less|at most|shorter|lower|worse|<)/iu.test(limit[1] ?? '')
      ? 'below'
      : 'above';
    return { type: 'count', side, limit: Number(limit[2]) };
  }
  if (metrics.length === 0) return null;
  if (/\bstandard deviation|\bstd(?:ev)?\b|\bvarian|\bscatter(?:ing)?\b|標準偏差|ばらつき/iu.test(rest))
    return { type: 'deviation' };
  if (/\bmedian|中央値/iu.test(rest)) return { type: 'median' };
  return /\bmean\b|\baverage\b|\btypical|平均/iu.test(rest) ? { type: 'mean' } : null;
}
