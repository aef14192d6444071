import { TOOL_CATALOGUE } from '../../../../src/domain/tool-catalogue.ts';
import type { ServerNames } from '../server-names.ts';
import { metricTitles } from './metric-titles.ts';
import { joinedSentences, serverSentences } from './server-sentences.ts';
import { serverTexts } from './server-texts.ts';

/** Japanese names of tools, their kinds, and what a turn is busy with. */
export const serverNames: ServerNames = {
  tools: Object.fromEntries(TOOL_CATALOGUE.map(({ name, title }) => [name, title.ja])),
  toolCategories: {
    workspace: { title: '作業フォルダー', purpose: 'ジョブのファイル: メモ、計画、データ、報告書。' },
    core: { title: 'フェーズ', purpose: '計画と作業のフェーズ、その ToDo、ジョブの終了。' },
    calibration: { title: '較正データ', purpose: 'チップの現在値、評価、実行、配置。' },
    timeseries: { title: '時系列', purpose: '値の変化と、その変化がばらつきを超えるかどうか。' },
    provenance: { title: '由来', purpose: 'どの実行が値を作り、何から導かれたか。' },
    sandbox: { title: '解析', purpose: '隔離環境での Python、アップロードした表、グラフ。' },
    notes: { title: 'メモ', purpose: 'チップ・量子ビット・結果について人が書いたもの。' },
    research: { title: 'ウェブ調査', purpose: 'ウェブの検索とページの読み取り。内容は信頼されません。' },
    citation: { title: '引用', purpose: '報告書での、保存された記録とウェブページへの番号付き参照。' },
    document: { title: '文書', purpose: '作業フォルダーの長いファイルを分割して読み取ります。' },
    coding: { title: 'コーディング', purpose: '隔離環境の外でのシェルコマンドとプログラム。' },
    git: { title: '履歴', purpose: 'ジョブのファイルの以前の版。' },
    graph: { title: 'グラフデータベース', purpose: 'グラフデータベースの照会。' },
    sql: { title: 'SQL データベース', purpose: '接続した SQL データベースの読み取り専用の照会。' },
    mongodb: { title: 'MongoDB データベース', purpose: '接続した MongoDB の読み取り専用の照会。' },
    mcp: {
      title: '研究室のサーバー',
      purpose: '冷凍機のログや配線データベースなど、研究室自身の MCP サーバーのツール。',
    },
  },
  metrics: metricTitles,
  texts: serverTexts,
  sentences: serverSentences,
  joined: joinedSentences,
  activities: {
    QUEUED: '前の回答を待っています',
    THINKING: '考えています',
    CALLING_TOOLS: 'データを調べています',
    VERIFYING: '現在値と照合しています',
    SUMMARIZING: 'これまでの会話を要約しています',
    ANSWERING: '回答を書いています',
    WAITING: 'モデルが今は応答できないため、少し待ってからもう一度尋ねます',
  },
};
