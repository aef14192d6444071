import type { Words } from '../words.ts';

/** Texts of the audit. */
export const audit: Words['audit'] = {
  title: '操作の記録',
  link: '誰が何をしたか',
  about:
    'このプロジェクトで誰が、いつ、どこから、何をしたかの記録です。ID だけを含み、会話の文は含みません。誰にも変更できません。',
  exportCsv: 'CSV で書き出す',
  exportLines: 'JSON の行で書き出す',
  person: 'ユーザーの ID',
  onlyOf: (name) => `${name} の記録だけを表示`,
  kind: '種類',
  from: '開始日',
  to: '終了日',
  everywhere: 'すべてのプロジェクトとサインイン（システム管理者のみ）',
  none: '該当する記録はありません。',
  nobody: '不明な人',
  byKey: 'API キー',
  done: '完了',
  kinds: {
    SIGN_IN: 'サインイン',
    SIGN_OUT: 'サインアウト',
    SIGN_IN_FAILED: 'サインイン失敗',
    VIEW: '閲覧',
    EXPORT: '書き出し',
    DOWNLOAD: 'ダウンロード',
    SUBMIT: '送信',
    CHANGE: '変更',
    DELETE: '削除',
    ADMINISTER: '管理',
  },
  columns: {
    at: '日時',
    who: '誰が',
    what: '何を',
    outcome: '結果',
    about: '対象',
    address: 'アドレス',
    project: 'プロジェクト',
  },
};
