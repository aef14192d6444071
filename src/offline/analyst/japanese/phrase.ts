/** How a line of a tool is said in Japanese: its form, and the words that many lines share. */

/** A form of a line and how it is said; groups come in order. */
export type Phrase = readonly [form: RegExp, say: (groups: readonly string[]) => string];

/** A form as the source of a pattern, without the full stop that lines end with. */
export const phrase = (form: string, say: Phrase[1]): Phrase => [new RegExp(`^${form}$`, 'u'), say];

const NOTES: Readonly<Record<string, string>> = {
  excellent: '優秀',
  good: '良好',
  fair: '可',
  bad: '不良',
  poor: '不良',
  rising: '上昇',
  falling: '低下',
  stable: '安定',
  better: '改善',
  worse: '悪化',
  best: '良い順',
  worst: '悪い順',
  highest: '高い順',
  lowest: '低い順',
  old: '古い',
  unknown: '不明',
  failed: '失敗',
  completed: '完了',
  running: '実行中',
  qubit: '量子ビット',
  coupling: 'カップリング',
  task: 'タスク',
  sigma: 'σ',
  limit: '限界',
  below: '下回る',
  above: '上回る',
};

/** A rating, an order, a state, a kind of thing. */
export const inOneWord = (word: string): string => NOTES[word] ?? word;

/** Brackets and joints of lists, and the words in {@link NOTES}. Not for text that somebody wrote. */
export const details = (text: string): string =>
  text
    .replaceAll(/(?:,)? and (\d+) more/gu, 'ほか$1')
    .replaceAll(/(\d+(?:\.\d+)?) deviations (below|above) the median/gu, (_, count: string, side: string) =>
      side === 'below' ? `中央値より偏差${count}個分低い` : `中央値より偏差${count}個分高い`,
    )
    .replaceAll(/(\d+) (failed|completed|running|scheduled)\b/gu, '$2 $1件')
    .replaceAll('within its error', '誤差の範囲内')
    .replaceAll('time unknown', '時刻不明')
    .replaceAll('no measurement: ', '測定値ではない: ')
    .replaceAll(
      /(\d+) (rising|falling|stable)((?: \((?:better|worse)\))?)/gu,
      (_, n: string, w: string, v: string) => `${w}${v} ${n}個`,
    )
    .replaceAll(', strongest first: ', '、変化の大きい順: ')
    .replaceAll(/\b[a-z]+\b/gu, inOneWord)
    .replaceAll(/ and /gu, '、')
    .replaceAll(/, /gu, '、')
    .replaceAll(/; /gu, '；')
    .replaceAll(/ ?\(/gu, '（')
    .replaceAll(')', '）');

/** A stretch of time. */
export const times = (text: string): string => text.replace(' to ', ' から ');
/** `63 of 64 qubits`. */
export const qubitsOf = (text: string): string =>
  text.replace(/^(\d+) of (\d+) qubits?$/u, '$2量子ビット中$1').replace(/^(\d+) qubits?$/u, '$1量子ビット');
/** Qubits or couplings, one or many. */
export const entities = (noun: string): string => inOneWord(noun.replace(/s$/u, ''));

/** What the first fitting phrase makes of a line; null where none fits. */
export function said(line: string, phrases: readonly Phrase[]): string | null {
  for (const [form, say] of phrases) {
    const match = form.exec(line.replace(/\.$/u, ''));
    if (match !== null) return say(match.slice(1).map((group: string | undefined) => group ?? ''));
  }
  return null;
}
