import type { Words } from '../words.ts';

/** 比較ページの文言。 */
export const compare: Words['compare'] = {
  title: '比較',
  now: '現在',
  hoursAgo: (hours) => (hours % 24 === 0 ? `${hours / 24} 日前` : `${hours} 時間前`),
  onDay: '日付を指定…',
  chipOf: (side) => `チップ ${side}`,
  timeOf: (side) => `${side} の時点`,
  dayOf: (side) => `${side} の日付`,
  swap: 'AとBを入れ替える',
  of: '比較の対象',
  qubits: '量子ビット',
  couplings: 'カップリング',
  onlyQubits: '一部の量子ビットのみ',
  allQubits: 'すべての量子ビット',
  byNumber: '異なるチップの量子ビットは番号で対応させています。位置の対応ではありません。',
  nothing: 'どちらにもこの種類の値がありません。',
  metrics: 'すべての指標（中央値の差の大きい順）',
  medianOf: (side) => `中央値 ${side}`,
  countOf: (side) => `値の数 ${side}`,
  share: 'B − A（Aに対する比）',
  sideBySide: '並べて表示（差の大きい順）',
  moved: (moved, both) =>
    both === 0
      ? '両方に値のあるものはありません。'
      : `両方に値のある ${both} 件のうち ${moved} 件に差があります。`,
  spread: 'ばらつき（中央値に対する比）',
  qubitsOf: (side) => `選択した量子ビット: ${side}`,
};
