import { textOf, type Part } from '@qpilot/client/view';
import type { CopilotChartFragment, CopilotTableFragment } from '../../../gql/graphql.ts';
import type { VisualReader } from '../../../components/chart/visual-words.ts';

/** A chart with the table of the same values, or a table of its own. */
export type Exhibit =
  | {
      readonly type: 'chart';
      readonly chart: CopilotChartFragment;
      /** What the chart draws, as rows; null where the tool made no such table. */
      readonly table: CopilotTableFragment | null;
    }
  | { readonly type: 'table'; readonly table: CopilotTableFragment };

/** The same in the language of the pages. */
export const exhibitIn = ({ chart, table }: VisualReader, exhibit: Exhibit): Exhibit =>
  exhibit.type === 'table'
    ? { ...exhibit, table: table(exhibit.table) }
    : { ...exhibit, chart: chart(exhibit.chart), table: exhibit.table && table(exhibit.table) };

/** A piece of the words, with the UTF-16 code units of the answer's text before it. */
type Words = {
  readonly part: Extract<Part, { type: 'text' | 'message' }>;
  readonly offset: number;
  /** Nothing comes behind it yet. */
  readonly isLast: boolean;
};

/** An answer as it is read: words first, at most one visual beside them, and the rest as evidence. */
export type AnswerLayout = {
  readonly words: readonly Words[];
  readonly picture: Exhibit | null;
  readonly evidence: readonly Exhibit[];
};

/** What a question calls each kind of chart; a kind that it names is drawn beside the words. */
const CALLED: readonly (readonly [kind: string, name: RegExp])[] = [
  ['HEATMAP', /heat ?map|\bmap\b|ヒートマップ|マップ/iu],
  ['HISTOGRAM', /histogram|distribution|ヒストグラム|分布/iu],
  ['LINE', /\btrend|over time|histor(?:y|ies)|time series|推移|履歴|時系列/iu],
  ['BAR', /\bbars?\b|棒グラフ/iu],
  ['SCATTER', /scatter|correlat|散布図|相関/iu],
  ['BOX', /box ?plot|箱ひげ/iu],
  ['GRAPH', /provenance|lineage|系譜|来歴/iu],
];
const TABLE = /\btable\b|\blist\b|表(?:で|に|を|形式)|一覧|リスト/iu;

/** Lays out the parts of an answer to `question`. */
export function answerLayout(parts: readonly Part[], question: string): AnswerLayout {
  const exhibits = exhibitsOf(parts);
  const picture = pictureOf(exhibits, question);
  return {
    words: wordsOf(parts),
    picture,
    evidence: exhibits.filter((exhibit) => exhibit !== picture),
  };
}

function wordsOf(parts: readonly Part[]): readonly Words[] {
  return parts.flatMap((part, index) =>
    part.type === 'text' || part.type === 'message'
      ? [{ part, offset: textOf(parts.slice(0, index)).length, isLast: index === parts.length - 1 }]
      : [],
  );
}

/** The visuals in their order; a table that repeats a chart belongs to it. */
function exhibitsOf(parts: readonly Part[]): readonly Exhibit[] {
  const tables = parts.flatMap((part) => (part.type === 'table' ? [part.table] : []));
  const taken = new Set<CopilotTableFragment>();
  const charts = new Map(
    parts.flatMap((part) => {
      if (part.type !== 'chart') return [];
      const table = tables.find((each) => !taken.has(each) && isRepeatedBy(part.chart, each)) ?? null;
      if (table) taken.add(table);
      return [[part.chart.id, table] as const];
    }),
  );
  return parts.flatMap((part): readonly Exhibit[] => {
    if (part.type === 'chart')
      return [{ type: 'chart', chart: part.chart, table: charts.get(part.chart.id) ?? null }];
    return part.type === 'table' && !taken.has(part.table) ? [{ type: 'table', table: part.table }] : [];
  });
}

/** Whether a table lists what a chart draws: of the same call, and named after it. A card shows one number of many. */
const isRepeatedBy = (chart: CopilotChartFragment, table: CopilotTableFragment): boolean =>
  chart.kind !== 'INDICATOR' && chart.callId === table.callId && table.title.startsWith(chart.title);

/** The visual that the question asks for, else the first chart. A table is shown beside the words only if it was asked for. */
function pictureOf(exhibits: readonly Exhibit[], question: string): Exhibit | null {
  const charts = exhibits.filter(({ type }) => type === 'chart');
  const asked = CALLED.filter(([, name]) => name.test(question)).map(([kind]) => kind);
  const named = charts.find((exhibit) => exhibit.type === 'chart' && asked.includes(exhibit.chart.kind));
  const table = TABLE.test(question) ? exhibits.find(({ type }) => type === 'table') : undefined;
  return named ?? table ?? charts[0] ?? null;
}
