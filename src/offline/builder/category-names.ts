import { TOOL_CATEGORIES, type ToolCategoryName } from '../../experts/tool-categories.ts';
import type { Request } from './request.ts';

/** What people call categories beside their names and titles. */
const ALSO: Readonly<Record<string, ToolCategoryName>> = {
  web: 'research',
  'web search': 'research',
  'web research': 'research',
  internet: 'research',
  'internet access': 'research',
  python: 'sandbox',
  charts: 'sandbox',
  'time series': 'timeseries',
  'time-series': 'timeseries',
  lineage: 'provenance',
  database: 'sql',
  mongo: 'mongodb',
  ウェブ: 'research',
  web検索: 'research',
  ウェブ検索: 'research',
  ウェブ調査: 'research',
  検索: 'research',
  調査: 'research',
  分析: 'sandbox',
  解析: 'sandbox',
  サンドボックス: 'sandbox',
  時系列: 'timeseries',
  来歴: 'provenance',
  ノート: 'notes',
  メモ: 'notes',
  引用: 'citation',
  文書: 'document',
  ドキュメント: 'document',
  履歴: 'git',
  較正データ: 'calibration',
  キャリブレーション: 'calibration',
  校正データ: 'calibration',
};

/** Words that say no more than that a category is one. */
const AROUND = /^(?:the|all)\s+|\s*の?(?:tools?|category|access|feature|ツール|カテゴリー?|機能)$/giu;

/** A request to switch the category of a spoken name; null for a name that is none. */
export function switchOf(spoken: string | undefined, isOn: boolean): Request | null {
  const said = (spoken ?? '').toLowerCase().trim();
  const words = [said, said.replaceAll(AROUND, '').trim()];
  const category = TOOL_CATEGORIES.find(({ name, title }) =>
    words.some((word) => name === word || title.toLowerCase() === word || name === ALSO[word]),
  );
  return category === undefined ? null : { type: 'switch', category, isOn };
}
