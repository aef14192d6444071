import { reasonInJapanese } from '../../analyst/japanese/tool-lines.ts';
import type { CourseWords, JobWords, ReportWords, ScopeWords } from './job-words.ts';

/** To-dos and headings in Japanese. */
export const STEPS: JobWords['steps'] = {
  state: { todo: 'チップの状態（健全度、統計、問題）を調べる。', title: 'チップの状態' },
  changes: { todo: '主なパラメータを量子ビットごとに以前の期間と比較する。', title: '変化' },
  causes: { todo: '明らかな変化を、その実行、来歴、メモまでたどる。', title: '変化の背景' },
  extremes: {
    todo: '主なパラメータごとに量子ビットの順位をつけ、最も悪いものを引用する。',
    title: '良い量子ビットと悪い量子ビット',
  },
  couplings: { todo: 'ゲート忠実度でカップリングの順位をつける。', title: 'カップリング' },
  period: { todo: 'チップの平均を以前の期間と比較する。', title: '期間の変化' },
  outliers: { todo: 'チップの他の値から大きく外れた値を探し、最も外れたものを引用する。', title: '外れ値' },
  incidents: { todo: '失敗した実行、最新の較正、人のメモを調べる。', title: '失敗した実行とメモ' },
  data: { todo: '全量子ビットの現在値を取得し、分析用に保存する。', title: 'データ' },
  analysis: { todo: 'スクリプトを書いて実行し、表と図を保存する。', title: '分析' },
  needs: { todo: 'しきい値を下回る値と古い値を探す。', title: '測定が必要なもの' },
  failures: { todo: '失敗したまま成功していない実行を探す。', title: 'やり直すべき実行' },
  order: { todo: '測定の順序を決め、表に書く。', title: '提案する順序' },
  next: { todo: '決着をつける測定を示す。', title: '次の一手' },
  recommendations: { todo: 'すべきことを、それぞれの理由とともに示す。', title: '推奨事項' },
};

const GOALS: Readonly<Record<string, string>> = {
  researcher: '何が変化し、その背景に何があるかを調べる',
  coder: '再実行できるスクリプトで現在値を分析する',
  writer: '較正レポートに書くことを集める',
  calibrator: '次に何をどの順序で較正するかを調べる',
};

/** Phases and their ends in Japanese. */
export const COURSE: CourseWords = {
  goal: (expertId) => GOALS[expertId] ?? '課題についてデータが示すことを集める',
  goalOfReport: 'レポートを書く',
  reportTodo: (path) => `メモから${path}を書く。`,
  planned: (titles) =>
    `オフライン アナリストとして${titles.length}件の作業を計画しました: ${titles.join('、')}。`,
  notesComplete: 'メモがそろいました。次にレポートを書きます。',
  notDone: '未実施: その前にフェーズが終わりました。',
  unknownTodo: (id) => `作業${id}はオフライン アナリストが知らないものです。`,
  unknownTodoResult: '未実施: オフライン アナリストは決まった規則で動き、この作業を知りません。',
  wrote: (path, notes) => `${notes}件のメモから${path}を書きました。`,
  nothingToDo: 'このフェーズですることはありませんでした。',
  unreadable: (path) => `${path}を読めなかったため、ジョブは終わっていません。`,
  seeReport: 'レポートをご覧ください。',
  ended: (path) =>
    `レポートは${path}です。_オフライン アナリストによるものです（決まった規則のみ、言語モデル不使用）。_`,
  refused: (call, reason) => `${call}は拒否されました。${reasonInJapanese(reason)}`,
  cutOff:
    '作業が終わる前にこのフェーズの上限に達しました。作業領域の内容は残り、次のフェーズがそこから続けます。',
  askReview:
    'ご希望どおり、レポートを確認いただけます。承認するか、「Q27だけ」「直近14日」「カップリングを追加」のように変更点を書いて差し戻してください。',
  noSuchChip: (chip, known) =>
    `このプロジェクトにチップ${chip}はありません。あるのは${known.join('、')}です。「チップ ${known[0] ?? ''}」のように書いて差し戻してください。`,
  noChip: 'このプロジェクトにはチップがないため、調べるものがありません。取り込んでから差し戻してください。',
};

const TITLES: Readonly<Record<string, string>> = {
  researcher: '調査レポート',
  coder: '分析レポート',
  writer: '較正レポート',
  calibrator: '次の較正の計画',
};

const ageOf = (hours: number): string =>
  hours < 48 ? `${Math.round(hours)}時間` : `${Math.round(hours / 24)}日`;

function scopeOf({ parameters, entities, excluded, windowHours }: ScopeWords): string {
  const parts = [
    parameters.join('、'),
    entities.join('、'),
    windowHours === null ? '' : `直近${ageOf(windowHours)}`,
  ];
  const named = parts.filter((part) => part !== '').join('；');
  const without = excluded.length === 0 ? '' : `${named === '' ? '' : '、'}${excluded.join('、')}を除く`;
  return `ご指定の範囲: ${named}${without}。`;
}

/** The report around its sections in Japanese. */
export const REPORT: ReportWords = {
  title: (expertId, chip) => `${TITLES[expertId] ?? 'レポート'}: ${chip ?? 'プロジェクトの最新のチップ'}`,
  written: (time) =>
    `作成: ${time} UTC、オフライン アナリスト（保存された結果に対する決まった規則のみ、言語モデル不使用）。`,
  task: (text) => `課題: ${text}`,
  reviewNote: (number, text) => `差し戻しのコメント ${number}: ${text}`,
  scope: scopeOf,
  unfollowed: (texts) => `従えなかった指示: ${texts.map((text) => `「${text}」`).join('、')}。`,
  result: '結果',
  nothingOn: (texts) => `次のことは保存されたデータからは言えません: ${texts.join('；')}。`,
  allFrom: (oldest, newest, hours) =>
    `以上はすべて${oldest}から${newest} UTCまでの保存された結果によるもので、最新の値は${ageOf(hours)}前のものです。`,
  noTime: 'どの結果も測定時刻がわかりません。',
  unchecked: '確認していないこと',
  uncheckedLines: [
    '課題は決まった規則で読み、パラメータ、量子ビット、カップリング、チップ、期間、レポートの部分だけを読み取りました。それ以外は理解していません。',
    '保存された結果だけを使いました。測定はしておらず、ライブ値とも比較していません。',
    '除外された値と失敗した実行の値はどの数値にも含まれません。保存された実行とメモ以外の原因は調べていません。',
  ],
  noTools: (titles) => `このエキスパートに必要なツールがないため省いたもの: ${titles.join('、')}。`,
  references: '参照',
  records: (numbers) => `記録: ${numbers.join(' ')}`,
  measured: (oldest, newest) =>
    `保存された結果の測定時刻: ${oldest === newest ? '' : `${oldest} から `}${newest} UTC。`,
  measuredStart: '保存された結果の測定時刻: ',
  notFound: (reason) => `見つかりません。${reasonInJapanese(reason)}`,
  nothingFound: '何も見つかりませんでした。',
};
