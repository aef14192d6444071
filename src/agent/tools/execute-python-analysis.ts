/** `execute_python_analysis`: the model's own Python over what was fetched, contained in the sandbox. */
import { z } from 'zod';
import { countOf } from '../../domain/display-text.ts';
import { sandboxVisuals } from '../../domain/visual-rules/sandbox.ts';
import { InvalidInputError } from '../../errors.ts';
import { freshnessUsedBy } from '../data/data-store.ts';
import { defineTool } from '../tool.ts';
import { SESSION_DATA } from './chip-argument.ts';

/** Longest piece of the output in the one line for people. */
const PREVIEW_CHARACTERS = 120;

/** Least time between two lines of progress; the first comes after as much, since most analyses end before. */
const PROGRESS_MS = 1_000;

export const executePythonAnalysis = defineTool({
  name: 'execute_python_analysis',
  label: 'Executing Python analysis',
  description: ({ packages }) =>
    `Runs Python over the results that this conversation fetched: data["t1"]["timeseries"] is a list of rows, and so on, by data_key. Set result = {"output": text, "chart": Plotly figure dict or list, "tables": {name: rows}} or print. Nothing is kept between runs but tables, which become data[name]. Modules: ${packages.join(', ')}.`,
  args: z.object({ code: z.string().min(1) }),
  describe: ({ code }) => `Python, ${countOf(code.trim().split('\n').length, 'line')}`,
  conflictKey: () => SESSION_DATA,
  run: async ({ code }, { sandbox, dataStore, signal, viewer, progress }) => {
    const { output, charts, refusedCharts, tables, error } = await sandbox.run(code, await dataStore.all(), {
      signal,
      user: viewer.id,
      onPrinted: newestLine(progress),
    });
    if (error !== null) {
      const printed = output ? `\nPrinted before: ${output}` : '';
      throw new InvalidInputError([{ path: ['code'], message: `${error}${printed}` }]);
    }
    const freshness = freshnessUsedBy(code, await dataStore.list());
    for (const [name, rows] of Object.entries(tables)) {
      await dataStore.put(name, JSON.stringify(rows), freshness);
    }
    const { visuals, refused } = sandboxVisuals(charts, tables);
    const names = Object.keys(tables);
    const notes = [
      ...(visuals.length > 0 ? [`${countOf(visuals.length, 'chart or table')} shown to the user.`] : []),
      ...(names.length > 0 ? [`Kept for later analysis: ${names.join(', ')}.`] : []),
      ...refusedCharts,
      ...refused,
    ];
    return {
      data: { output, charts: charts.length, tables: names },
      formattedSummary: [output ?? 'The analysis gave no text.', ...notes].join('\n'),
      preview: (output ?? notes[0] ?? 'no output').replaceAll(/\s+/g, ' ').slice(0, PREVIEW_CHARACTERS),
      freshness,
      source: 'SANDBOX',
      visuals,
    };
  },
});

/** Passes on the newest line of what is printed, now and then. */
function newestLine(progress: (text: string) => void): (text: string) => void {
  let due = performance.now() + PROGRESS_MS;
  return (text) => {
    const line = text.trim().split('\n').at(-1)?.slice(0, PREVIEW_CHARACTERS) ?? '';
    if (line === '' || performance.now() < due) return;
    due = performance.now() + PROGRESS_MS;
    progress(line);
  };
}
