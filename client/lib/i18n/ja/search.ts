import type { Words } from '../words.ts';

/** Texts of the search. */
export const search: Words['search'] = {
  title: '検索',
  words: '検索する語',
  hint: '質問、回答、ジョブ、コメント、ボード、ノート、測定結果の語',
  find: '検索',
  about:
    '読む権限のある会話、ジョブ、コメント、ボードと、ラボのノートと測定結果から語を探します。すべての語を含むものが見つかります。続いた語は "…" で囲んでください。',
  all: (text) => `「${text}」をすべてから検索`,
  anywhere: 'すべての場所',
  kind: '種類',
  chip: 'チップ',
  person: '人',
  from: '開始日',
  until: '終了日',
  here: '会話、ジョブ、ボード',
  lab: 'ラボのノートと測定結果',
  nothing: '見つかりませんでした。',
  found: (count, hasMore) => (hasMore ? `最初の ${count} 件：` : `${count} 件見つかりました。`),
  isCut:
    'この語を含むものは 1,000 件を超えています。新しいものだけを表示しています。語か条件を加えてください。',
  lookedAt: (results) => `各チップの最新のノートと、語に合う最新の測定結果 ${results} 件を調べました。`,
  skipped: (chips) => `ほかの ${chips} チップは調べていません。「チップ」で選んでください。`,
  kinds: {
    CONVERSATION: '会話',
    QUESTION: '質問',
    ANSWER: '回答',
    JOB: 'ジョブ',
    COMMENT: 'コメント',
    BUILDER: 'ビルダー',
    BOARD: 'ボード',
    NOTE: 'ノート',
    RESULT: '測定結果',
  },
  noRecord: 'この記録はありません',
  noRecordText: (taskId) => `プロジェクトに測定結果 ${taskId} はありません。`,
  openRecord: '記録を開く',
  ofExecution: (id) => `実行 ${id} の保存された結果`,
  linkedRecord: 'リンクの記録',
  copyLink: 'ここへのリンクをコピー',
  linkCopied: 'コピーしました',
};
