/** What the offline builder says: what it is, what it did, and what it did not understand. */
import { isJapanese, type ReadRequests } from './requests.ts';

type Phrases = {
  readonly what: string;
  readonly done: string;
  readonly notUnderstood: (words: string) => string;
  readonly examples: string;
};

const ENGLISH: Phrases = {
  what: 'I am the offline builder, a program and no language model: I only carry out plain requests, word by word.',
  done: 'What became of your requests:',
  notUnderstood: (words) => `I did not understand “${words}”.`,
  examples:
    'I understand, for example: “set temperature to 0.2”, “use model gpt-4.1”, “set reasoning to low”, “describe it as Drift of T1”, “add a section about outliers”, “replace "T1" with "T2"”, “remove "Be brief."” and “switch off web research”. For anything else, set up a model (see the README).',
};

const JAPANESE: Phrases = {
  what: '私はオフラインビルダーです。言語モデルではなくプログラムなので、明示的な依頼だけをそのまま実行します。',
  done: '依頼の結果:',
  notUnderstood: (words) => `「${words}」は理解できませんでした。`,
  examples:
    '例えば次のように書いてください: 「温度を0.2にして」「モデルをgpt-4.1に変更」「推論を低にして」「説明を「T1の変動」に変更」「外れ値についての節を追加」「「T1」を「T2」に置き換えて」「「短く。」を削除」「ウェブ検索をオフにして」。それ以外にはモデルの設定が必要です (READMEを参照)。',
};

/** The whole answer, in the language of the message; `outcomes` are what the calls came to, as the tools put it. */
export function answerText(
  message: string,
  { calls, rest }: ReadRequests,
  outcomes: readonly string[],
): string {
  const phrases = isJapanese(message) ? JAPANESE : ENGLISH;
  const results = outcomes.map((outcome) => `- ${outcome}`);
  const missed = rest.map((words) => phrases.notUnderstood(words));
  const isHelpNeeded = calls.length === 0 || rest.length > 0;
  return [
    phrases.what,
    ...(results.length > 0 ? [[phrases.done, ...results].join('\n')] : []),
    ...missed,
    ...(isHelpNeeded ? [phrases.examples] : []),
  ].join('\n\n');
}
