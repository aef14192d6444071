import type { Topic } from './request.ts';

/** The phrases of one language. */
export type Words = {
  readonly what: string;
  readonly topics: Readonly<Record<Topic, string>>;
  readonly quoted: (text: string) => string;
  readonly done: string;
  readonly notDone: (why: string) => string;
  /** Of a call that the turn ended before. */
  readonly notReached: string;
  readonly switched: (category: string, isOn: boolean) => string;
  readonly added: (what: string) => string;
  readonly removed: (what: string) => string;
  readonly rewritten: (what: string) => string;
  readonly section: (title: string) => string;
  readonly lines: (from: number, to: number) => string;
  readonly noSection: (titles: readonly string[]) => string;
  readonly noText: (text: string) => string;
  readonly noLine: (lines: number) => string;
  readonly noTools: string;
  /** Null: set by nobody here. */
  readonly stands: (name: string, value: string | null) => string;
  readonly tools: (on: string, off: string) => string;
  readonly instructions: (lines: number, titles: readonly string[]) => string;
  readonly undo: string;
  readonly notUnderstood: (words: string) => string;
  readonly moreMissed: (count: number) => string;
  readonly examples: string;
};

/** English. */
export const ENGLISH_WORDS: Words = {
  what: 'I am the offline builder, a program and no language model: I only carry out plain requests, word by word.',
  topics: {
    TEMPERATURE: 'temperature',
    REASONING: 'reasoning',
    MODEL: 'model',
    TOOLS: 'tools',
    DESCRIPTION: 'description',
    INSTRUCTIONS: 'instructions',
  },
  quoted: (text) => `“${text}”`,
  done: 'done',
  notDone: (why) => `not done. ${why}`,
  notReached: 'The turn ended before.',
  switched: (category, isOn) => `${category} ${isOn ? 'on' : 'off'}`,
  added: (what) => `${what} added`,
  removed: (what) => `${what} removed`,
  rewritten: (what) => `${what} rewritten`,
  section: (title) => `section “${title}”`,
  lines: (from, to) => (from === to ? `line ${from}` : `lines ${from} to ${to}`),
  noSection: (titles) =>
    titles.length === 0
      ? 'The instructions have no sections.'
      : `There is no such section; there are ${titles.map((title) => `“${title}”`).join(', ')}.`,
  noText: (text) => `${text} does not stand in the instructions.`,
  noLine: (lines) => `The instructions have ${lines} lines.`,
  noTools: 'This category has no tools in QPilot.',
  stands: (name, value) =>
    value === null
      ? `The ${name}: set by nobody here, so that of the expert or the defaults holds.`
      : `The ${name}: ${value}`,
  tools: (on, off) => `Tool categories that are on: ${on}. Off: ${off}.`,
  instructions: (lines, titles) =>
    `The instructions have ${lines} lines; sections: ${titles.length === 0 ? '–' : titles.join(', ')}.`,
  undo: 'I cannot take a change back myself: press “Undo this turn” below the answer that made it, or go back to an earlier state under “Revisions”.',
  notUnderstood: (words) => `I did not understand “${words}”.`,
  moreMissed: (count) => `Nor ${count} more sentences.`,
  examples:
    'I understand, for example: “set temperature to 0.2”, “use gpt-4.1”, “set reasoning to low”, “describe it as Drift of T1”, “add a section Limits: at most 20 minutes”, “remove the Method section”, “rename section Method to Procedure”, “insert "Skip Q03." after line 3”, “replace "T1" with "T2"”, “switch off web research” and “which model is used?”. For anything else, set up a model (see the README).',
};

/** Japanese. */
export const JAPANESE_WORDS: Words = {
  what: '私はオフラインビルダーです。言語モデルではなくプログラムなので、明示的な依頼だけをそのまま実行します。',
  topics: {
    TEMPERATURE: '温度',
    REASONING: '推論レベル',
    MODEL: 'モデル',
    TOOLS: 'ツール',
    DESCRIPTION: '説明',
    INSTRUCTIONS: '指示',
  },
  quoted: (text) => `「${text}」`,
  done: '完了',
  notDone: (why) => `実行できませんでした。${why}`,
  notReached: 'その前にターンが終わりました。',
  switched: (category, isOn) => `${category}を${isOn ? 'オン' : 'オフ'}`,
  added: (what) => `${what}を追加`,
  removed: (what) => `${what}を削除`,
  rewritten: (what) => `${what}を書き換え`,
  section: (title) => `セクション「${title}」`,
  lines: (from, to) => (from === to ? `${from}行目` : `${from}〜${to}行目`),
  noSection: (titles) =>
    titles.length === 0
      ? '指示にはセクションがありません。'
      : `そのセクションはありません。あるのは${titles.map((title) => `「${title}」`).join('')}です。`,
  noText: (text) => `${text}は指示の中にありません。`,
  noLine: (lines) => `指示は${lines}行です。`,
  noTools: 'このカテゴリのツールはQPilotにはありません。',
  stands: (name, value) =>
    value === null
      ? `${name}: ここでは未設定で、エキスパートまたは既定の値が使われます。`
      : `${name}: ${value}`,
  tools: (on, off) => `オンのツール: ${on}。オフ: ${off}。`,
  instructions: (lines, titles) =>
    `指示は${lines}行です。セクション: ${titles.length === 0 ? '–' : titles.join('、')}`,
  undo: '変更の取り消しは私にはできません。その回答の下の「このターンを取り消す」を押すか、「リビジョン」から以前の状態に戻してください。',
  notUnderstood: (words) => `「${words}」は理解できませんでした。`,
  moreMissed: (count) => `ほかに${count}文が理解できませんでした。`,
  examples:
    '例えば次のように書いてください: 「温度を0.2にして」「モデルをgpt-4.1に変更」「推論を低にして」「説明を「T1の変動」に変更」「「制限」というセクションを追加して: 20分以内」「Methodセクションを削除」「3行目の後に「Q03は除く」を追加」「「T1」を「T2」に置き換えて」「ウェブ検索をオフにして」「温度はいくつ?」。それ以外にはモデルの設定が必要です (READMEを参照)。',
};
