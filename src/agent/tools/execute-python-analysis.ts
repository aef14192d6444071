/** `execute_python_analysis`: the model's own Python over what was fetched, contained in the sandbox. */
import { z } from 'zod';
import { countOf } from '../../domain/text/display-text.ts';
import { defineTool } from '../tool.ts';
import { SESSION_DATA } from './chip-argument.ts';
import { keepTables, runAnalysis } from './python-analysis.ts';

export const executePythonAnalysis = defineTool({
  name: 'execute_python_analysis',
  label: 'Executing Python analysis',
  description: ({ packages }) =>
    `Runs Python over the results that this conversation fetched: data["t1"]["timeseries"] is a list of rows, and so on, by data_key. Set result = {"output": text, "chart": Plotly figure dict or list, "tables": {name: rows}} or print. Nothing is kept between runs but tables, which become data[name]. Modules: ${packages.join(', ')}.`,
  args: z.object({ code: z.string().min(1) }),
  describe: ({ code }) => `Python, ${countOf(code.trim().split('\n').length, 'line')}`,
  conflictKey: () => SESSION_DATA,
  run: async ({ code }, context) =>
    runAnalysis(
      {
        code,
        dataJson: await context.dataStore.all(),
        keep: ({ tables }, freshness) => keepTables(tables, freshness, context),
      },
      context,
    ),
});
