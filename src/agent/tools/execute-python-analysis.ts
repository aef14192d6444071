/** `execute_python_analysis`: the model's own Python over what was fetched, contained in the sandbox. */
import { z } from 'zod';
import { countOf } from '../../domain/text/display-text.ts';
import { defineTool } from '../tool.ts';
import { SESSION_DATA } from './chip-argument.ts';
import { keepTables, runAnalysis } from './python-analysis.ts';

export const executePythonAnalysis = defineTool({
  name: 'execute_python_analysis',
  category: null,
  rule: 'viewer: own',
  label: 'Executing Python analysis',
  title: { en: 'Analyse in Python', ja: 'Python による解析' },
  example: {
    code: [
      'import statistics',
      'rows = [r for r in data["chip_summary"]["qubits"] if r["t1"] and r["t2_echo"]]',
      'ratio = statistics.median(r["t2_echo"] / r["t1"] for r in rows)',
      'result = {"output": f"T2 Echo over T1: median {ratio:.2f} of {len(rows)} qubits"}',
    ].join('\n'),
  },
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
