/** Python for the statistics that are drawn. It runs over a chip summary that was fetched before. */
import type { Statistic } from '../../domain/questions/statistic.ts';

/** A parameter of the fetched summary and how it is shown. */
export type PythonColumn = { readonly name: string; readonly unit: string; readonly scale: number };

const READ = `
def numbers(name, scale):
    return {r["qid"]: r[name] * scale for r in rows if isinstance(r.get(name), (int, float))}
def percentile(values, percent):
    place = (len(values) - 1) * percent / 100
    low = int(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (place - low)
`.trimStart();

/** The program for `statistic` of the summary kept under `dataKey`; the second column is used by correlations only. */
export function statisticProgram(
  statistic: Statistic,
  dataKey: string,
  columns: readonly [PythonColumn, ...PythonColumn[]],
): string {
  const [x, y = x] = columns;
  return [
    'import statistics',
    `rows = data[${JSON.stringify(dataKey)}]["qubits"]`,
    READ,
    `x = numbers(${JSON.stringify(x.name)}, ${x.scale})`,
    'values = sorted(x.values())',
    'count = len(values)',
    ...(statistic.type === 'correlation'
      ? correlationBody(x, y)
      : distributionBody(x.name, x.unit === '' ? '' : ` ${x.unit}`, x.unit)),
  ].join('\n');
}

const quoted = (text: string): string => JSON.stringify(text);

const distributionBody = (name: string, unit: string, axisUnit: string) => [
  'if count == 0:',
  `    result = {"output": ${quoted(`No values of ${name}.`)}}`,
  'else:',
  '    q = [percentile(values, p) for p in (0, 25, 50, 75, 100)]',
  '    result = {',
  `        "output": f"Distribution of ${name} over {count} qubits: minimum {q[0]:.4g}, lower quartile {q[1]:.4g}, median {q[2]:.4g}, upper quartile {q[3]:.4g}, maximum {q[4]:.4g}${unit}",`,
  '        "chart": {',
  '            "data": [{"type": "histogram", "x": values}],',
  `            "layout": {"title": {"text": ${quoted(`Distribution of ${name}`)}}, "xaxis": {"title": {"text": ${quoted(axisUnit === '' ? name : `${name} (${axisUnit})`)}}}, "yaxis": {"title": {"text": "Qubits"}}},`,
  '        },',
  '    }',
];

const correlationBody = (x: PythonColumn, y: PythonColumn) => {
  const axis = ({ name, unit }: PythonColumn) => quoted(unit === '' ? name : `${name} (${unit})`);
  return [
    `y = numbers(${quoted(y.name)}, ${y.scale})`,
    'both = [q for q in x if q in y]',
    'a = [x[q] for q in both]',
    'b = [y[q] for q in both]',
    'if len(both) < 3 or len(set(a)) < 2 or len(set(b)) < 2:',
    `    result = {"output": ${quoted(`A correlation of ${x.name} and ${y.name} needs at least three qubits with different values of both.`)}}`,
    'else:',
    '    r = statistics.correlation(a, b)',
    '    strength = "no clear" if abs(r) < 0.3 else "a weak" if abs(r) < 0.5 else "a moderate" if abs(r) < 0.7 else "a strong"',
    '    sign = "" if abs(r) < 0.3 else " positive" if r > 0 else " negative"',
    '    result = {',
    `        "output": f"Pearson correlation of ${x.name} and ${y.name} over {len(both)} qubits: r = {r:.3f}, {strength}{sign} relation",`,
    '        "chart": {',
    '            "data": [{"type": "scatter", "mode": "markers", "x": a, "y": b, "text": ["Q" + q for q in both]}],',
    `            "layout": {"title": {"text": ${quoted(`${x.name} and ${y.name}`)}}, "xaxis": {"title": {"text": ${axis(x)}}}, "yaxis": {"title": {"text": ${axis(y)}}}},`,
    '        },',
    '    }',
  ];
};

/** The program for the values of some parameters in a kept comparison of two times; it prints JSON. */
export const timesProgram = (dataKey: string, metrics: readonly string[]): string =>
  [
    'import json',
    `kept = data[${quoted(dataKey)}]`,
    'short = lambda v: None if v is None else float(f"{v:.6g}")',
    'def rows(name):',
    '    return [[r["part"], short(r["before"]), short(r["after"]), r["change"], r["better"]] for r in kept["changes"] if r["parameter"] == name]',
    'def figures(p, side):',
    '    return {"count": p["compared"], "median": short(p["median_" + side]), "mean": short(p["mean_" + side])}',
    `found = [{"metric": p["parameter"], "title": p["title"], "unit": p["unit"], "before": figures(p, "before"), "after": figures(p, "after"), "rows": rows(p["parameter"])} for p in kept["parameters"] if p["parameter"] in ${JSON.stringify(metrics)}]`,
    'result = {"output": json.dumps(found)}',
  ].join('\n');
