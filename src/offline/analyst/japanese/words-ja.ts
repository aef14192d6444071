import type { AnswerWords, Duration } from '../answer-words.ts';
import type { Usual } from '../told.ts';
import { reasonInJapanese, resultLineInJapanese, toolLineInJapanese } from './tool-lines.ts';

const EXAMPLES = [
  '- チップの調子はどうですか？データはいつのものですか？',
  '- T1が短い量子ビットを5つ教えて。T1が50μs未満の量子ビットはいくつ？',
  '- Q3とQ5を比較して。T1が良いのはどちら？',
  '- Q12のT2は直近30日でどう変化した？0-1のZX90忠実度の推移は？',
  '- T1を今週と先週で比較して。',
  '- 周波数のヒートマップを見せて。T1とT2の散布図は？',
  '- 外れ値はある？Q7に隣接する量子ビットは？',
  '- 直近の失敗は？Q45のメモは？Q7のT1の来歴は？',
  '- どんなパラメータがある？T1の90パーセンタイルは？',
].join('\n');

const UNITS: Readonly<Record<Duration['unit'], string>> = {
  year: '年',
  month: 'か月',
  day: '日',
  hour: '時間',
  minute: '分',
};

const duration = ({ count, unit }: Duration): string => `${count}${UNITS[unit]}`;
const USUAL: Readonly<Record<Usual, (title: string) => string>> = {
  values: () => 'チップの他の値から外れた値はありません',
  ratings: () => '評価が可・不良の値はありません',
  course: (title) => `${title}に最悪値を更新する悪化は見られません`,
  notes: () => 'メモはありません',
};

const quoted = (words: readonly string[]): string => words.map((word) => `「${word}」`).join('');

const EXPERTS: Readonly<Record<string, string>> = {
  researcher: '調査担当（researcher）',
  coder: '分析担当（coder）',
  writer: 'レポート担当（writer）',
  calibrator: '較正計画担当（calibrator）',
};

/** The analyst in Japanese. */
export const JAPANESE: AnswerWords = {
  toolLine: toolLineInJapanese,
  notLookedUp: (reason) => `調べられませんでした。${reasonInJapanese(reason)}`,
  notRun: (tool) => `${tool}は実行されませんでした。`,
  notComputed: (reason) => `答えを求められませんでした。${reasonInJapanese(reason)}`,
  calculationNotRun: '必要な計算が実行されませんでした。',
  impossiblePeriod: ({ problem, said }) => {
    switch (problem) {
      case 'NO_SUCH_DAY':
        return `「${said}」には暦にない日が含まれています。2026-05-01や5月1日のように書いてください。`;
      case 'BACKWARDS':
        return `「${said}」は終わりが始まりより前です。「5月1日から14日まで」のように早い日を先に書いてください。`;
      case 'FUTURE':
        return `「${said}」はまだ始まっていないため、測定値がありません。過ぎた日を指定してください。`;
      default:
        return problem satisfies never;
    }
  },
  daysLeftOut:
    'この質問では日付で絞り込めないため、指定された日付は使っていません。パラメータの推移と統計量であれば絞り込めます。',
  needsTwoParameters: '相関には、たとえばT1とT2のように、パラメータを2つ指定してください。',
  needsParameterAndQubit: '来歴には、たとえばQ7のT1のように、パラメータと量子ビットを指定してください。',
  parameterTaken: (title) => `パラメータの指定がないため、${title}について答えます。`,
  parametersTaken: 'パラメータの指定がないため、T1、T2、読み出し忠実度を示します。',
  heatmapShown: '各量子ビットの位置での値は図のとおりです。',
  courseShown: '推移は図のとおりです。',
  figuresAreOverQubits:
    '統計量はチップの量子ビット全体について計算します。1つの量子ビットについては値そのものを示します。',
  askForValues: 'これらの量子ビットの値は、たとえば「Q3とQ5のT1を比較して」とお尋ねください。',

  qubitOnChip: (label, chipId) => `${label}（${chipId}）:`,
  noValueOf: (name, label, names) =>
    `${name}: 値はありません。${label}にあるパラメータ: ${names.join('、')}。`,
  sameIn: (title) => `${title}は同じです。`,
  highestOfNeutral: (label, title) => `${label}が${title}で最も高い値です。高低の良し悪しはありません。`,
  bestIn: (label, title, end) =>
    `${label}が${title}で最良です（${end === 'highest' ? '最高' : '最低'}の値）。`,

  verdict: (verdict, label, chipId) => {
    switch (verdict) {
      case 'unusual':
        return `${label}（${chipId}）には普段と違う点があります:`;
      case 'weak':
        return `${label}（${chipId}）に普段と違う点はありませんが、次の値は良好ではありません:`;
      case 'nothing':
        return `${label}（${chipId}）に普段と違う点はありません。`;
      default:
        return verdict satisfies never;
    }
  },
  standsApart: (deviations, isBelow) =>
    `チップの中央値より偏差${deviations}個分${isBelow ? '低い' : '高い'}外れ値です。`,
  asUsual: (usual, title) => `${usual.map((each) => USUAL[each](title)).join('。')}。`,

  notInLayout: (qid, chipId, first, last) =>
    `${chipId}の配置に量子ビット${qid}はありません。${first}から${last}までです。`,
  place: (row, column) => `（行${row}、列${column}）`,
  noNeighbours: (label, place, chipId) => `${chipId}の${label}${place}に隣接する量子ビットはありません。`,
  neighbours: (label, place, neighbours, chipId) =>
    `${chipId}の${label}${place}は${neighbours.join('、')}と結合しています。`,
  coupled: (a, b) => `はい、${a}と${b}は結合しています。`,
  notCoupled: (a, b) => `いいえ、${a}と${b}は結合していません。`,

  measured: ({ oldest, oldestAge, newest, newestAge, hasLive }) => {
    const span =
      oldest === newest
        ? `${newest}（${duration(newestAge)}前）`
        : `${oldest}（${duration(oldestAge)}前）から${newest}（${duration(newestAge)}前）まで`;
    return `${hasLive ? '保存値の測定時刻は' : 'これらは保存された結果で、測定時刻は'}${span}です。`;
  },
  someTooOld: (limit) => `期限の${duration(limit)}より古いものがあります。使う前に再測定してください。`,
  allFresh: (limit) => `すべて期限の${duration(limit)}以内です。`,

  resultPart: (part, { task, label, chipId }) => {
    switch (part) {
      case 'result':
        return `${chipId}の${label}の${task}`;
      case 'history':
        return `${label}の${task}の履歴（新しい順）`;
      case 'neighbours':
        return `${label}に隣接する量子ビットの現在値`;
      case 'couplings':
        return `${label}のカップリングの現在値`;
      case 'remedies':
        return `${task}の問題について知られていること（原文のまま）`;
      case 'meaning':
        return `${task}について知られていること（原文のまま）`;
      default:
        return part satisfies never;
    }
  },
  resultLine: resultLineInJapanese,
  nothingToldOf: (heading) => `${heading}: 情報はありません。`,

  drafted: (expertId, chipId) =>
    `時間のかかる作業のため、ここで答える代わりに、${chipId}についての${EXPERTS[expertId] ?? expertId}のジョブを下書きしました。まだ何も始まっていません。下書きを開き、必要なら直して、送信してください。`,
  notDrafted: (reason) =>
    `時間のかかる作業ですが、ジョブを下書きできませんでした。${reasonInJapanese(reason)}`,

  help: (words) =>
    [
      `オフライン アナリストです。言語モデルを使わず決まった規則で答えており、この質問は理解できませんでした。${words.length === 0 ? '' : `${quoted(words)}がわかりません。`}次のような質問に答えられます。`,
      EXAMPLES,
      'T1、T2（エコー）、T2*、読み出し・ゲート・ベル状態の忠実度、周波数、非調和性のほか、どのパラメータも保存名で指定できます。',
    ].join('\n\n'),
  cannotAct: 'これはできません。キャリブレーションデータを読むだけで、測定も変更も削除も行いません。',
  notice: (words) => {
    const left = words.length === 0 ? '' : `わからず読み飛ばした言葉: ${quoted(words)}。`;
    return `_オフライン アナリストの回答です（決まった規則のみ、言語モデル不使用）。${left}_`;
  },
  nothingToCheck:
    'オフライン アナリストです。ここには確かめられる値がまだありません。たとえば「Q7のT1は？」とお尋ねください。おかしいと思われたらそうお書きください。ライブ値と比較します。',
  valueByValue: '値ごとの結果:',
};
