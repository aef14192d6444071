/** `run_python`: the analysis of chats, with files of the workspace as its data and its tables and charts as files. */
import { CsvError, parse } from 'csv-parse/sync';
import { z } from 'zod';
import { toCsv, type CsvCell } from '../../../domain/text/csv.ts';
import { countOf } from '../../../domain/text/display-text.ts';
import type { Json, JsonObject } from '../../../domain/visuals.ts';
import { InvalidInputError } from '../../../base/errors.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { defineTool, type Tool } from '../../tool.ts';
import { SESSION_DATA } from '../chip-argument.ts';
import { keepTables, runAnalysis, type AnalysisProducts } from '../python-analysis.ts';

/** Runs in order with every tool that reads kept results, and in parallel with tools that only touch files. */
export const runPython = (workspace: Workspace): Tool =>
  defineTool({
    name: 'run_python',
    category: 'sandbox',
    rule: 'editor: own',
    label: 'Running Python',
    title: { en: 'Run Python', ja: 'Python の実行' },
    example: { code: 'result = {"output": str(len(data["data/t1.csv"]))}' },
    description: ({ packages }) =>
      `Runs Python over fetched results, data["t1"]["timeseries"] and so on by data_key, and over files of the workspace that the code names: data["data/t1.csv"] is a list of rows, a .json file its value, any other its text. Set result = {"output": text, "chart": Plotly figure dict or list, "tables": {name: rows}} or print. Tables are kept as data[name] and as tables/name.csv, charts as figures/. The program reaches no disk and no network. Modules: ${packages.join(', ')}.`,
    args: z.object({ code: z.string().min(1) }),
    describe: ({ code }) => `Python, ${countOf(code.trim().split('\n').length, 'line')}`,
    conflictKey: () => SESSION_DATA,
    run: async ({ code }, context) =>
      runAnalysis(
        {
          code,
          dataJson: withFiles(await context.dataStore.all(), await filesNamedIn(code, workspace)),
          keep: async (products, freshness) => [
            ...(await keepTables(products.tables, freshness, context)),
            ...(await saveProducts(workspace, products)),
          ],
        },
        context,
      ),
  });

/** Lays files over kept results; both are JSON text of an object. */
function withFiles(keptJson: string, files: Readonly<Record<string, Json>>): string {
  const entries = Object.entries(files).map(
    ([path, value]) => `${JSON.stringify(path)}:${JSON.stringify(value)}`,
  );
  if (entries.length === 0) return keptJson;
  const kept = keptJson.trim().slice(1, -1);
  return `{${[...(kept === '' ? [] : [kept]), ...entries].join(',')}}`;
}

/** Files that the code names in a string; loading others would waste memory. */
async function filesNamedIn(code: string, workspace: Workspace): Promise<Readonly<Record<string, Json>>> {
  const files = await workspace.list();
  const named = files.filter(({ path }) => code.includes(`"${path}"`) || code.includes(`'${path}'`));
  const read = await Promise.all(
    named.map(async ({ path }) => [path, valueOf(path, await workspace.readText(path))] as const),
  );
  return Object.fromEntries(read);
}

function valueOf(path: string, text: string): Json {
  try {
    if (path.endsWith('.json')) return JSON.parse(text) as Json;
    return path.endsWith('.csv') ? rowsOf(text) : text;
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof CsvError)) throw error;
    throw new InvalidInputError([{ path: ['code'], message: `${path} cannot be read: ${error.message}` }]);
  }
}

/** Cells that are numbers become numbers, empty ones null. */
const rowsOf = (text: string): Json =>
  parse(text, {
    columns: true,
    skip_empty_lines: true,
    trim: true,
    cast: (cell: string) => (cell === '' ? null : Number.isFinite(Number(cell)) ? Number(cell) : cell),
  });

async function saveProducts(
  workspace: Workspace,
  { charts, tables }: AnalysisProducts,
): Promise<readonly string[]> {
  const saved: string[] = [];
  const save = async (path: string, text: string): Promise<void> => {
    saved.push((await workspace.write(path, text, 'run_python')).path);
  };
  for (const [name, rows] of Object.entries(tables))
    await save(`tables/${fileName(name)}.csv`, csvOfRows(rows));
  const before = (await workspace.list()).filter(({ path }) => path.startsWith('figures/')).length;
  for (const [at, chart] of charts.entries()) {
    await save(`figures/figure-${before + at + 1}.json`, JSON.stringify(chart));
  }
  return saved.length === 0 ? [] : [`Saved in the workspace: ${saved.join(', ')}.`];
}

const fileName = (name: string): string =>
  name
    .replaceAll(/[^\p{L}\p{N}_-]+/gu, '-')
    .replaceAll(/^-+|(?<!-)-+$/gu, '')
    .slice(0, 60) || 'table';

/** Rows as CSV (RFC 4180); columns in the order in which they appear. */
export function csvOfRows(rows: readonly JsonObject[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [columns, ...rows.map((row) => columns.map((column) => cellOf(row[column] ?? null)))];
  return `${toCsv(lines)}\r\n`;
}

const cellOf = (value: Json): CsvCell =>
  value === null || typeof value === 'number'
    ? value
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);
