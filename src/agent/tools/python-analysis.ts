/** Runs Python over data and describes the result: shared by the tools of chats and jobs. */
import type { Freshness } from '../../domain/values/freshness.ts';
import { sandboxVisuals } from '../../domain/visual-rules/analysis-figures.ts';
import type { JsonObject } from '../../domain/visuals.ts';
import { InvalidInputError } from '../../base/errors.ts';
import { freshnessUsedBy } from '../data/session-data.ts';
import type { ToolContext, ToolResult } from '../tool.ts';

/** Longest excerpt of the output in the preview. */
const PREVIEW_CHARACTERS = 120;

/** Least time between two lines of progress; the first comes after as much, since most analyses end before. */
const PROGRESS_MS = 1_000;

/** Products of an analysis besides its text. */
export type AnalysisProducts = {
  readonly charts: readonly JsonObject[];
  readonly tables: Readonly<Record<string, readonly JsonObject[]>>;
};

/** How an analysis is run. */
export type Analysis = {
  readonly code: string;
  /** JSON text of what the program sees as `data`. */
  readonly dataJson: string;
  /** Stores the products and returns sentences about them for the model. */
  readonly keep: (products: AnalysisProducts, freshness: Freshness | null) => Promise<readonly string[]>;
};

/** @throws InvalidInputError with the program's own error, and what it printed before. */
export async function runAnalysis(
  { code, dataJson, keep }: Analysis,
  { sandbox, dataStore, signal, viewer, progress }: ToolContext,
): Promise<ToolResult> {
  const ran = await sandbox.run(code, dataJson, {
    signal,
    user: viewer.id,
    onPrinted: newestLine(progress),
  });
  const { output, charts, tables, error } = ran;
  if (error !== null) {
    const printed = output ? `\nPrinted before: ${output}` : '';
    throw new InvalidInputError([{ path: ['code'], message: `${error}${printed}` }]);
  }
  const freshness = freshnessUsedBy(code, await dataStore.list());
  const kept = await keep({ charts, tables }, freshness);
  const { visuals, refused } = sandboxVisuals(charts, tables);
  const notes = [
    ...(visuals.length > 0 ? [`Shown to the user: ${visuals.map(({ title }) => title).join(', ')}.`] : []),
    ...kept,
    ...ran.refused,
    ...refused,
  ];
  return {
    data: { output, charts: charts.length, tables: Object.keys(tables) },
    formattedSummary: [output ?? 'The analysis gave no text.', ...notes].join('\n'),
    preview: (output ?? notes[0] ?? 'no output').replaceAll(/\s+/g, ' ').trim().slice(0, PREVIEW_CHARACTERS),
    freshness,
    source: 'SANDBOX',
    visuals,
  };
}

/** Keeps the tables of an analysis for later ones, by their names. */
export async function keepTables(
  tables: AnalysisProducts['tables'],
  freshness: Freshness | null,
  { dataStore }: Pick<ToolContext, 'dataStore'>,
): Promise<readonly string[]> {
  for (const [name, rows] of Object.entries(tables)) {
    await dataStore.put(name, JSON.stringify(rows), freshness);
  }
  const names = Object.keys(tables);
  return names.length === 0 ? [] : [`Kept for later analysis: ${names.join(', ')}.`];
}

/** Reports the newest printed line, at most once a second. */
function newestLine(progress: (text: string) => void): (text: string) => void {
  let due = performance.now() + PROGRESS_MS;
  return (text) => {
    const line = text.trim().split('\n').at(-1)?.slice(0, PREVIEW_CHARACTERS) ?? '';
    if (line === '' || performance.now() < due) return;
    due = performance.now() + PROGRESS_MS;
    progress(line);
  };
}
