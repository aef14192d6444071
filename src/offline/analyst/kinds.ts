/** Classifies a clause by its words. */
import type { AskKind } from './ask.ts';
import type { Slots } from '../../domain/questions/slots.ts';
import { statisticOf } from './statistic.ts';
import { COUPLING_METRICS, isCoupling } from '../../domain/questions/vocabulary.ts';

/** Patterns of kinds, the special before the general; the first that fits is what the clause is about. */
const KINDS: readonly (readonly [kind: AskKind, pattern: RegExp])[] = [
  [
    'action',
    /^(?:(?:please|can you|could you|would you)\s+)*(?:re-?calibrate|calibrate|delete|erase|remove|wipe|set|change(?!s?\b\s*(?:in|of|over)\b)|update|overwrite|reset|tune|(?:re-?)?run(?!\b.*\b(?:analys[ei]s|statistics?|comparison|summary|python|script)\b)|start|stop|launch)\b|(?:校正|較正|キャリブレーション|再測定|(?<!(?:分析|解析|比較|集計)を?)実行|削除|消去|変更|設定|リセット)して|消して/iu,
  ],
  [
    'notes',
    /\bnotes?\b|\bremark|\bcomment|\bexclu(?:ded?|sion)|\bleave out\b|\bleft out\b|ノート|メモ|注記|コメント|備考|除外/iu,
  ],
  [
    'lineage',
    /\blineage|\bprovenance|\bversions?\b|\bcomes? from\b|\borigins?\b|\bderived\b|\bproduced\b|由来|来歴|バージョン/iu,
  ],
  ['executions', /\bexecutions?\b|\bworkflows?\b|ワークフロー|実行履歴/iu],
  ['runs', /\bfail(?:ed|s|ures?|ing)?\b|\b(?:went|gone|go) wrong\b|\btask (?:runs?|results?)\b|失敗/iu],
  [
    'age',
    /\bhow (?:old|fresh|recent|current)\b|\bup[\s-]to[\s-]date\b|\bstale\b|\boutdated\b|\bwhen (?:was|were|did|has|have)\b.*\b(?:measure|calibrate)|\blast (?:measured|calibrated)\b|\bdates? of\b|\bsince when\b|いつ.*測|最終測定|新しいです|古い(?:です|で)|古くな|いつのもの/iu,
  ],
  ['tasks', /\b(?:which|what|list|all|available)\b.{0,20}\btasks\b|タスク(?:一覧|の一覧)/iu],
  [
    'laboratory',
    /\b(?:which|what|list|all|available)\b.{0,20}\bchips\b|\bcool-?downs?\b|\blab(?:oratory)?\b|\bthresholds?\b|クールダウン|どのチップ/iu,
  ],
  [
    'parameters',
    /\b(?:what|which|list|available|all)\b.*\b(?:parameters|metrics)\b|\bparameters (?:exist|are)\b|\bwhat (?:data|can you (?:show|measure))\b|パラメータ/iu,
  ],
  [
    'outliers',
    /\boutl(?:ier|ying)|\banomal|\bunusual|\babnormal|\bstand(?:s|ing)? out|\bstrange|\bsuspicious|\bodd\b|外れ|異常|(?:普段|いつも|通常)と(?:違|異な)/iu,
  ],
  [
    'periods',
    /\b(?:this|last|past|current|present)\b.{0,20}\b(?:days?|weeks?|months?)\b.{0,40}\b(?:with|to|against|versus|vs|than|and|from)\b.{0,20}\b(?:last|previous|before|one before)\b|\b(?:today|yesterday)\b.{0,40}\b(?:with|to|against|versus|vs|than)\b|\b(?:day|week|month)[\s-]over[\s-](?:day|week|month)\b|\bsince (?:yesterday|last (?:week|month))\b|(?:今週|先週|今日|昨日|今月|先月|直近).*(?:比較|比べ|対)|(?:先週|昨日|先月)(?:より|から|と)/iu,
  ],
  [
    'trend',
    /\btrend|\bover time|\bfunction of time|\bhistory\b|\btime[\s-]?series|\bchang(?:e[ds]?|ing)\b|\bdrift|\bgetting (?:worse|better)|\bgot(?:ten)? (?:worse|better)|\bdegrad|\bimprov|\bevol(?:ve|ution)|\bdevelop|\bdecline|\bdownhill|\blately\b|\bline chart|\bgoing (?:up|down)\b|\b(?:up|down) or (?:up|down)\b|推移|時系列|トレンド|変化|履歴|劣化|(?:悪く|良く|よく|低く|高く|短く|長く)なっ|(?:下が|上が|落ち)[っるて]/iu,
  ],
  ['compare', /\bcompar|\bversus\b|\bvs\b|\bdiffer|\bside by side|\bnext to each other|比較|比べ|違い/iu],
  [
    'rank',
    /\b(?:best|worst|top|bottom|highest|lowest|shortest|longest|largest|smallest|biggest|poorest|weakest|strongest|rank(?:ing)?|least|most(?! recent)|minimum|maximum)\b|最も|最高|最低|最大|最小|一番|短い|長い|高い|低い|良い|悪い|ワースト|ベスト|上位|下位/iu,
  ],
  [
    'topology',
    /\btopolog|\blayout|\bneighbou?r|\bcoupled\b|\bcouplings?\b|\bconnect|\badjacent|\blattice|\bnext to\b|\btouch(?:es|ing)?\b|トポロジ|隣|接続|配置|結合|カップリング|つなが|繋が|\blink(?:s|ed)?\b/iu,
  ],
  [
    'health',
    /\bhealth|\boverall|\bstatus\b|\bsummar|\boverview|\bstate of\b|\bshape\b|\bshould know\b|\bhow(?:'s| is| are| does| do)\b|\bproblems?\b|\bcondition\b|\b(?:ok|okay|alright|fine|alive)$|健康|状態|概要|サマリ|まとめ|調子/iu,
  ],
];

/** Words by which one of several is to be named as the better one. */
export const WINNER =
  /\b(?:which|who|whose|better|worse|higher|lower|longer|shorter|larger|smaller|more|less|best|worst|wins?)\b|どちら|どっち/iu;

const HEATMAP = /\bheat[\s-]?map|\bmap of\b|ヒートマップ|マップ/iu;
const CHART = /\b(?:plot|graph|chart)\b|グラフ/iu;

/** Kinds in whose questions the words of statistics mean something else. */
const OVERRULES: ReadonlySet<AskKind> = new Set([
  'action',
  'executions',
  'lineage',
  'notes',
  'periods',
  'runs',
]);

/** What a clause is about; a heatmap may be asked for along with anything else. */
export function kindsOf(clause: string, slots: Slots): readonly AskKind[] {
  const wantsHeatmap = HEATMAP.test(clause);
  const special = fittingKind(slots);
  const isStatistic = !(special !== null && OVERRULES.has(special)) && statisticOf(slots) !== null;
  const kind = isStatistic ? statisticKind(slots) : primaryKind(special, slots);
  if (!wantsHeatmap) return kind === null ? [] : [kind];
  return kind === null || kind === 'health' || kind === 'topology' ? ['heatmap'] : [kind, 'heatmap'];
}

/** Statistics are over the qubits of a chip; for named qubits the answer is their values or history. */
function statisticKind(slots: Slots): AskKind {
  const { qids } = slots;
  const type = statisticOf(slots)?.type;
  if (qids.length === 0 || type === 'correlation') return 'statistic';
  return type !== 'count' ? 'trend' : qids.length > 1 ? 'compare' : 'values';
}

/** The kind whose words the clause has; a question that names a task is about its runs. */
function fittingKind({ rest, task }: Slots): AskKind | null {
  const fitting = KINDS.find(([, pattern]) => pattern.test(rest))?.[0] ?? null;
  const isAboutTask = task !== null && fitting !== 'action' && fitting !== 'notes';
  return isAboutTask ? 'runs' : fitting;
}

function primaryKind(fitting: AskKind | null, slots: Slots): AskKind | null {
  const { qids, metrics, rest, lastN } = slots;
  const names = metrics.length + qids.length > 0;
  switch (fitting) {
    case 'compare':
      return qids.length > 1 ? 'compare' : metrics.length > 0 ? 'figures' : null;
    case 'health':
      if (names) return qids.length > 1 ? 'compare' : qids.length > 0 ? 'values' : 'figures';
      return isAboutChip(slots) ? 'health' : null;
    case 'rank':
      return qids.length > 0 ? (qids.length > 1 ? 'compare' : 'values') : 'rank';
    case 'topology':
      return topologyKind(slots);
    case 'outliers':
      // Outliers exist for qubits only; for couplings the answer is their values and ratings.
      return qids.length > 0 && qids.every(isCoupling) ? 'values' : 'outliers';
    case null:
      // A chart of one parameter of some qubits, or its last so many values, is a course over time.
      return metrics.length > 0 && (lastN !== null || (qids.length > 0 && CHART.test(rest))) ? 'trend' : null;
    case 'action':
    case 'age':
    case 'executions':
    case 'laboratory':
    case 'lineage':
    case 'notes':
    case 'parameters':
    case 'periods':
    case 'runs':
    case 'tasks':
    case 'trend':
      return fitting;
    case 'figures':
    case 'heatmap':
    case 'statistic':
    case 'values':
      throw new Error(`${fitting} has no pattern of its own`);
  }
}

/** “How is the weather” has the words of a question about health, but is not one. */
const isAboutChip = ({ rest, chipId, unknown }: Slots): boolean =>
  unknown.length === 0 || chipId !== null || /\bchip|\bdevice|\bprocessor|チップ/iu.test(rest);

function topologyKind({ qids, metrics }: Slots): AskKind {
  const isOfCouplings = metrics.some((name) => COUPLING_METRICS.has(name));
  if (qids.some(isCoupling)) return 'values';
  if (isOfCouplings) return qids.length > 0 ? 'values' : 'rank';
  return 'topology';
}

/** A clause that only names things: values of qubits, or the figures of a parameter. */
export function defaultKind(clause: string, { metrics, qids }: Slots): AskKind | null {
  if (qids.length > 1) return 'compare';
  if (qids.length === 1) return 'values';
  return metrics.length > 0 && clause.length < 200 ? 'figures' : null;
}
