import type { Words } from '../words.ts';

/** Texts of what goes into a logbook. */
export const logbook: Words['logbook'] = {
  title: '実験ノートへ',
  rich: '書式付きでコピー',
  markdown: 'Markdown でコピー',
  card: 'PNG のカードとして保存',
  print: '印刷・PDF で保存',
  copied: 'コピーしました。題名、日時、出典、リンクが付いています。',
  failed: 'ブラウザーが許可しませんでした。ほかの形式か、ほかのブラウザーをお試しください。',
  more: '… 続きはリンク先にあります。',
  facts: {
    chip: 'チップ',
    written: '作成',
    data: 'データ',
    records: '記録',
    link: 'リンク',
    moreRecords: (count) => `ほか ${count} 件`,
  },
};
