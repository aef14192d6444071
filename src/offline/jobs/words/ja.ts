import { toolLineInJapanese } from '../../analyst/japanese/tool-lines.ts';
import { jobLineInJapanese, printedInJapanese } from './ja-lines.ts';
import { COURSE, REPORT, STEPS } from './ja-report.ts';
import type { AnalysisWords, CalibrationWords, ChangesWords, JobWords, ValuesWords } from './job-words.ts';

const windowOf = (hours: number): string =>
  hours === 168 ? '1週間' : hours % 24 === 0 ? `${hours / 24}日間` : `${hours}時間`;

const RATINGS: Readonly<Record<string, string>> = {
  EXCELLENT: '優秀',
  GOOD: '良好',
  FAIR: '可',
  BAD: '不良',
};

const entities = (isCouplings: boolean): string => (isCouplings ? 'カップリング' : '量子ビット');

const CHANGES: ChangesWords = {
  window: (hours) => `直近${windowOf(hours)}`,
  notCompared: (hours) =>
    `変化（直近${windowOf(hours)}とその前の${windowOf(hours)}の両方に結果があるパラメータがない）`,
  noneWorse: (compared, sigma, hours) =>
    `比較した${compared}個の値のうち、前の${windowOf(hours)}に対して${sigma}σ以上悪化したものはありません。`,
  worse: (count, compared, sigma, hours, clearest) =>
    `比較した${compared}個の値のうち${count}個が、前の${windowOf(hours)}に対して${sigma}σ以上悪化しました。最も明らかなもの: ${clearest.map(({ title, label, now, before, sigma: by }) => `${label}の${title}（${now}、以前は${before}、${by}σ）`).join('、')}。`,
  nothingToFollow: '原因（明らかに悪化したとわかっている値がないため、たどる対象がない）',
  together: (label, titles) =>
    `${label}: ${titles.join('と')}がそろって悪化しています。1回の測定の失敗ではなく、欠陥や温度など量子ビット自体の問題を示唆します。`,
  alone: (label, title) => `${label}: 悪化したのは${title}だけです。原因を探す前に、まず再測定してください。`,
  lasting: (label, title) =>
    `${label}: ${title}は多くの結果にわたって悪化しており、1回の測定の失敗ではありません。`,
  onlyLookedAt: (label, title) =>
    `${label}: ${title}が悪化しています。他のパラメータの変化は調べていません。`,
  notWorse: (label) => `${label}: この期間に明らかに悪化したパラメータはありません。`,
  notKnown: (label) => `${label}: 比較できる結果がないため、悪化したかどうかは言えません。`,
  measureNow: (label, title) =>
    `${label}の${title}を今測定し、数日後にもう一度測定してください。それで初めて比較できます。`,
  noted: (lines) => `人のメモ: ${lines.join(' ')}`,
  notNoted: 'これらの量子ビットに人のメモはありません。',
  unexplained: '以下の実行、来歴、メモで説明できない変化は、説明できないままです。',
  course: (title, label) => `${label}の${title}の推移（古い順）`,
  repeatSeveral: (label, titles) =>
    `${label}の${titles.join('と')}を1日のうちに数回測定してください。移動する欠陥なら値が跳び、持続的な損失なら跳びません。それまで${label}に依存する計画は立てないでください。`,
  repeatOnce: (label, title) =>
    `${label}の${title}をもう一度測定してください。値が低いままのときだけ、説明すべきことがあります。`,
  waitFor: (label) => `${label}: 通常の測定のほかにすることはありません。`,
  nothingNext: '次の一手（測定で決着がつくような変化がない）',
  meanOf: (title, line) => `${title}: ${line}`,
};

const VALUES: ValuesWords = {
  ranked: (end, title, shown, of, isCouplings) =>
    `${title}が${end === 'best' ? '良い' : '悪い'}順（${entities(isCouplings)}${of}個中${shown.length}個）: ${shown.join('、')}。`,
  rating: (rating) => RATINGS[rating] ?? rating,
  row: (label, shown, rating) =>
    `${label} ${shown}${rating === null ? '' : `（${RATINGS[rating] ?? rating}）`}`,
  noValues: (title) => `${title}（保存された値がない）`,
  noCouplings: 'カップリング（2量子ビットゲートの保存された値がない）',
  withoutValue: (title, count, isCouplings) =>
    `${title}: 値のない${entities(isCouplings)}が${count}個あります。`,
  distribution: (title, count) => `${title}の分布（${count}量子ビット）`,
  outliers: (count, farthest) =>
    `チップの他の値から大きく外れた値は${count}個です。最も外れているもの: ${farthest.join('、')}。`,
  outlier: (title, label, value, score) =>
    `${label}の${title} ${value}（中央値より頑健偏差${Math.abs(score) > 100 ? '100個分以上' : `${Math.abs(score).toFixed(1)}個分`}${score < 0 ? '低い' : '高い'}）`,
  noOutliers: 'チップの他の値から大きく外れたとわかっている値はありません。',
  failures: (count, isMore, newest) =>
    `${isMore ? `最新の失敗${count}件を調べました` : `失敗した実行は${count}件です`}。最新: ${newest}。`,
  failure: (task, label, time, message) =>
    `${label}の${task}（${time}）${message === null ? '' : `: ${message}`}`,
  noFailures: '失敗した実行は保存されていません。',
  notesOn: (labels) => `人のメモがあるもの: ${labels.join('、')}。`,
};

const CALIBRATION: CalibrationWords = {
  needs: (lookedAt, parameters, { bad, old, fair }, missing) =>
    `パラメータ${parameters}個それぞれの悪い方から${lookedAt}個のうち、不良は${bad}個、48時間より古い値は${old}個、可は${fair}個です。値のないものは${missing}個です。`,
  noNeeds: '測定すべき値（判断のもとになる保存値がない）',
  repeated: (all, open) => `最新の失敗${all}件のうち、その後成功していないものは${open}件です。`,
  measuredAgo: (hours) =>
    hours < 48 ? `${Math.round(hours)}時間前に測定` : `${Math.round(hours / 24)}日前に測定`,
  measuredUnknown: '測定時刻不明',
  runFailed: (message) => `測定に失敗${message === null ? '' : `: ${message}`}`,
  taskFor: (title) => `${title}を測るタスク`,
  nothingToDo: '測定の必要なものはありません。しきい値を下回る値も、古い値も、失敗した実行もありません。',
  noOrder: '測定の順序（保存された値がない。まずチップ全体を測定する必要がある）',
  proposed: (count, { bad, failed, old, fair }, left) =>
    `測定を${count}件提案します: 不良値${bad}件、失敗した実行${failed}件、古い値${old}件、可の値${fair}件${left === 0 ? '' : `。人のメモにより${left}件を除きました`}。`,
  rule: '順序: 不良値、失敗した実行、48時間より古い値、可の値。1回の測定は傾向ではないため、何かを変える前に再測定してください。所要時間は見積もっていません。',
  allOld:
    '調べた値はすべて古くなっています。まず各タスクをチップ全体で1回ずつ実行し、その後この計画を作り直してください。',
  heads: ['順番', 'タスク', '対象', '理由'],
  csvHeads: ['順番', '優先度', '対象', 'タスク', 'パラメータ', '理由'],
  wholeOrder: (path) => `全体の順序は${path}にあります。`,
  left: ({ task, label, reason }, note) => `除外: ${label}の${task}（${reason}）。人のメモ: “${note}”`,
  neverRan: (tasks) =>
    `このプロジェクトでは${tasks.join('、')}が実行されたことがありません。同じ量を測るタスクを使ってください。`,
  adviseNote: (label, note) => `${label}は実験に使わないでください。人のメモ: “${note}”`,
  adviseRun: ({ task, label, reason }) => `${label}の${task}を実行してください（${reason}）。`,
  adviseOld: (hours) =>
    `最新の値が${Math.round(hours / 24)}日前のものです。使う前にチップを測定し直してください。`,
  adviseFirst: 'チップを測定してください。保存された値がないため、ほかに推奨できることはありません。',
  adviseNothing: 'これらの値からは、すべきことはありません。',
  advised: (count) => `推奨事項は${count}件です（急ぐものから順に）。`,
};

const ANALYSIS: AnalysisWords = {
  readsOnly: 'これらはチップ全体の数値です。分析ではご指定の範囲だけを読みます。',
  tooFew: '統計（4量子ビット以上の値があるパラメータがない）',
  notRun: (reason) =>
    `分析を実行できませんでした${reason === null ? '（値を取得できていません）' : `: ${reason}`}。`,
  script: (path) => `スクリプトは${path}です。チップの要約を取得してからrun_pythonで再実行できます。`,
  method:
    '区間は95 %です（中央値は順序統計量、相関はフィッシャー変換による）。1.4826×中央絶対偏差を単位として3.5以上を外れ値とします（Iglewicz and Hoaglin, 1993）。関係は原因を意味しません。',
  line: printedInJapanese,
  files: (paths) => `表と図: ${paths.join('、')}。`,
  histogram: (name, unit) => `${name}の分布${unit === '' ? '' : `（${unit}）`}、量子ビット数`,
};

/** The analyst at work, in Japanese. */
export const JAPANESE_JOB: JobWords = {
  language: 'ja',
  toolLine: (line) => jobLineInJapanese(line) ?? toolLineInJapanese(line),
  steps: STEPS,
  course: COURSE,
  report: REPORT,
  changes: CHANGES,
  values: VALUES,
  calibration: CALIBRATION,
  analysis: ANALYSIS,
};
