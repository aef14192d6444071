import type { Words } from '../words.ts';

/** Texts of the settings page. */
export const settings: Words['settings'] = {
  title: '設定',
  viewer: 'あなた',
  name: '名前',
  role: '権限',
  project: 'プロジェクト',
  useProject: 'このプロジェクトを使う',
  usage: '本日の使用量',
  usedOf: (used, limit) => `${used} / ${limit} トークン`,
  cost: '費用',
  noPrice: '価格は未設定',
  tokensPerSession: '1 会話のトークン上限',
  messagesPerMinute: '1 分あたりのメッセージ',
  turnsAtOnce: '同時に実行できる回答',
  models: 'モデル',
  isDefault: '既定',
  available: '利用可',
  unavailable: '利用不可',
  server: 'サーバー',
  states: { works: '正常', down: '停止', unused: '未設定' },
  readsImages: '画像対応',
  roles: { owner: '所有者' },
  providers: { openai: 'OpenAI', anthropic: 'Anthropic', ollama: 'Ollama', offline: '内蔵' },
  parts: {
    mongo: 'MongoDB',
    postgres: 'PostgreSQL',
    sandbox: 'Python サンドボックス',
    live: 'ライブソース',
  },
};
