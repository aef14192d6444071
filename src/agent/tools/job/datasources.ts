/** `sql_query`, `mongodb_find`, `mongodb_aggregate`: databases that are attached to the job, read only. */
import { z } from 'zod';
import { MAX_ROWS, type Datasource, type SourceRows } from '../../../sources/databases/datasource.ts';
import type { Datasources } from '../../../sources/databases/datasources.ts';
import { ALLOWED_STAGES } from '../../../sources/databases/mongo-allow-list.ts';
import { countOf } from '../../../domain/text/display-text.ts';
import { NotFoundError } from '../../../base/errors.ts';
import type { ToolDatasource } from '../../../experts/tool-categories.ts';
import { defineTool, type Tool, type ToolResult } from '../../tool.ts';

/** The datasources that a job has attached, as far as the server still has them. */
export type OpenDatasources = {
  readonly attached: readonly Datasource[];
  readonly types: readonly ToolDatasource[];
  readonly sources: Pick<Datasources, 'sql' | 'mongodb'>;
};

/** Attached datasources with what brings tools. */
export const openDatasources = (
  attached: readonly Datasource[],
  sources: Pick<Datasources, 'sql' | 'mongodb'>,
): OpenDatasources => ({
  attached,
  types: (['sql', 'mongodb'] as const).filter((type) => attached.some((source) => source.type === type)),
  sources,
});

/** The tools of categories `sql` and `mongodb`. */
export const datasourceTools = (open: OpenDatasources): readonly Tool[] => [
  defineTool({
    name: 'sql_query',
    category: 'sql',
    rule: 'editor: own',
    label: 'Asking an SQL database',
    title: { en: 'Ask an SQL database', ja: 'SQL データベースの照会' },
    example: { statement: 'SELECT at, temperature_mk FROM fridge ORDER BY at DESC LIMIT 10' },
    description: `One SELECT on an attached Postgres database, read only; at most ${MAX_ROWS} rows and 10 s.${attachedWords(open, 'sql')}`,
    args: z.object({ datasource: idArg, statement: z.string().min(1) }),
    describe: ({ statement }) => statement.replaceAll(/\s+/gu, ' ').slice(0, 120),
    run: async ({ datasource, statement }, { signal }) => {
      const { id, name } = choose(open, 'sql', datasource);
      const source = open.sources.sql(id);
      if (source === null) throw gone(name);
      return rowsResult(name, await source.query(statement, signal));
    },
  }),
  defineTool({
    name: 'mongodb_find',
    category: 'mongodb',
    rule: 'editor: own',
    label: 'Finding documents',
    title: { en: 'Find documents', ja: 'MongoDB の文書検索' },
    example: { collection: 'runs', filter: '{"qid": "7"}', sort: '{"at": -1}', limit: 10 },
    description: `Documents of an attached MongoDB database, read only; at most ${MAX_ROWS} and 10 s.${attachedWords(open, 'mongodb')}`,
    args: z.object({
      datasource: idArg,
      collection: z.string().min(1),
      filter: z
        .string()
        .describe('JSON, for example {"qid": "7"}; dates as {"$date": "2026-05-01T00:00:00Z"}'),
      projection: z.string().nullable().describe('JSON, for example {"qid": 1}'),
      sort: z.string().nullable().describe('JSON, for example {"at": -1}'),
      limit: z.int().min(1).max(MAX_ROWS).nullable(),
    }),
    describe: ({ collection, filter }) => `${collection} ${filter}`.slice(0, 120),
    run: async ({ datasource, ...request }, { signal }) => {
      const { id, name } = choose(open, 'mongodb', datasource);
      const source = open.sources.mongodb(id);
      if (source === null) throw gone(name);
      return rowsResult(name, await source.find(request, signal));
    },
  }),
  defineTool({
    name: 'mongodb_aggregate',
    category: 'mongodb',
    rule: 'editor: own',
    label: 'Aggregating documents',
    title: { en: 'Aggregate documents', ja: 'MongoDB の集計' },
    example: { collection: 'runs', pipeline: '[{"$group": {"_id": "$qid", "runs": {"$sum": 1}}}]' },
    description: `An aggregation on an attached MongoDB database, read only; stages ${ALLOWED_STAGES.join(', ')}.${attachedWords(open, 'mongodb')}`,
    args: z.object({
      datasource: idArg,
      collection: z.string().min(1),
      pipeline: z.string().describe('JSON list of stages'),
    }),
    describe: ({ collection, pipeline }) => `${collection} ${pipeline}`.slice(0, 120),
    run: async ({ datasource, collection, pipeline }, { signal }) => {
      const { id, name } = choose(open, 'mongodb', datasource);
      const source = open.sources.mongodb(id);
      if (source === null) throw gone(name);
      return rowsResult(name, await source.aggregate(collection, pipeline, signal));
    },
  }),
];

const idArg = z
  .string()
  .nullable()
  .describe('Id of the datasource; null where only one of its type is attached');

const ofType = ({ attached }: OpenDatasources, type: ToolDatasource): readonly Datasource[] =>
  attached.filter((source) => source.type === type);

const attachedWords = (open: OpenDatasources, type: ToolDatasource): string => {
  const named = ofType(open, type).map(({ id, name }) => `${id} (${name})`);
  return named.length === 0 ? '' : ` Attached: ${named.join(', ')}.`;
};

function choose(open: OpenDatasources, type: ToolDatasource, id: string | null): Datasource {
  const all = ofType(open, type);
  const found = id === null && all.length === 1 ? all[0] : all.find((source) => source.id === id);
  if (found !== undefined) return found;
  const names = all.map((source) => source.id).join(', ');
  throw new NotFoundError(
    `this job has no ${type} datasource ${id ?? 'that is the only one'}; it has ${names || 'none'}`,
  );
}

const gone = (name: string): NotFoundError =>
  new NotFoundError(
    `${name} was attached to this job, but the server no longer has it; say so in the report`,
  );

const rowsResult = (name: string, { rows, hasMore }: SourceRows): ToolResult => ({
  data: { datasource: name, rows },
  formattedSummary: `${countOf(rows.length, 'row')} of ${name}${hasMore ? '; there are more, ask for less' : ''}. Their age is not known to QPilot.`,
  preview: `${countOf(rows.length, 'row')} of ${name}`,
  freshness: null,
  source: 'DATASET',
  visuals: [],
});
