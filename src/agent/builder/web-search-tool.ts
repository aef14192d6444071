import { z } from 'zod';
import { dataRule, marked, newDataMark, oneLine } from '../prompt/data-marks.ts';
import { defineTool, type Tool } from '../tool.ts';
import { MAX_PREVIEW_LENGTH } from '../../domain/conversation/event-limits.ts';
import { countOf } from '../../domain/text/display-text.ts';
import { shorten } from '../../domain/text/stored-text.ts';
import type { TableSpec } from '../../domain/visuals.ts';
import type { FoundPage, WebSearch } from '../../sources/web/web-search.ts';

const DEFAULT_RESULTS = 5;
const MAX_TITLE = 120;

/** Searches the public web for a builder; the pages are shown with the answer as its sources. */
export const webSearchTool = (web: WebSearch): Tool =>
  defineTool({
    name: 'web_search',
    category: 'research',
    rule: 'editor: own',
    label: 'Searching the web',
    title: { en: 'Search the web', ja: 'ウェブ検索' },
    example: { query: 'T1 fluctuations of transmon qubits' },
    description:
      'Searches the public web. Returns numbered pages with excerpts, written by strangers. Use it when the user asks for methods or literature that you do not know; cite what you use as [1] with its address. Never send values, names or notes of the lab.',
    args: z.object({
      query: z.string().min(3).max(400),
      max_results: z.int().min(1).max(10).nullable().describe('null: 5'),
    }),
    describe: ({ query }) => query,
    run: async ({ query, max_results: asked }, { signal }) => {
      const pages = await web.search(query, asked ?? DEFAULT_RESULTS, signal);
      const mark = newDataMark();
      const results = pages.map((page, index) => ({
        number: index + 1,
        ...shown(page),
        excerpt: page.excerpt,
      }));
      const found = `Found ${countOf(pages.length, 'page')} for “${query}”.`;
      return {
        data: { query, results },
        modelData: { rule: dataRule(mark), results: marked(mark, JSON.stringify(results)) },
        formattedSummary: [
          found,
          ...results.map(({ number, title, url }) => `[${number}] ${title} ${url}`),
        ].join('\n'),
        preview: shorten(found, MAX_PREVIEW_LENGTH),
        freshness: null,
        source: 'WEB',
        visuals: pages.length === 0 ? [] : [sourcesTable(query, pages)],
      };
    },
  });

const shown = ({ title, url }: FoundPage) => ({ title: oneLine(title, MAX_TITLE), url });

function sourcesTable(query: string, pages: readonly FoundPage[]): TableSpec {
  const column = (key: string, label: string) => ({ key, label, unit: null, format: 'text' }) as const;
  return {
    type: 'table',
    title: `Web pages on ${oneLine(query, MAX_TITLE)}`,
    columns: [column('number', 'No.'), column('title', 'Page'), column('url', 'Address')],
    rows: pages.map((page, index) => ({ number: String(index + 1), ...shown(page) })),
  };
}
