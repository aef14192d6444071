/** Python for the statistics that no tool gives. It runs over a chip summary that was fetched before. */
import { unitFactor } from '../../domain/values/units.ts';
import type { Statistic } from './ask.ts';

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
    ...bodyOf(statistic, x, y),
  ].join('\n');
}

const quoted = (text: string): string => JSON.stringify(text);

function bodyOf(statistic: Statistic, x: PythonColumn, y: PythonColumn): readonly string[] {
  const name = x.name;
  const unit = x.unit === '' ? '' : ` ${x.unit}`;
  const printLine = (what: string, expression: string, fewest = 1): readonly string[] => [
    `result = {"output": f"${what} of ${name} over {count} qubits: {${expression}:.4g}${unit}" if count >= ${fewest} else ${quoted(`No values of ${name}.`)}}`,
  ];
  switch (statistic.type) {
    case 'mean':
      return printLine('Mean', 'statistics.mean(values)');
    case 'median':
      return printLine('Median', 'statistics.median(values)');
    case 'deviation':
      return printLine('Sample standard deviation', 'statistics.stdev(values)', 2);
    case 'percentile':
      return printLine(`Percentile ${statistic.percent}`, `percentile(values, ${statistic.percent})`);
    case 'count':
      return countBody({ ...statistic, limit: limitIn(statistic, x.unit) }, name, unit);
    case 'distribution':
      return distributionBody(name, unit, x.unit);
    case 'correlation':
      return correlationBody(x, y);
  }
}

const UNIT_WORDS: Readonly<Record<string, string>> = {
  us: 'μs',
  percent: '%',
  ghz: 'GHz',
  mhz: 'MHz',
  khz: 'kHz',
  hz: 'Hz',
};

/**
 * The user's limit in the unit of the column; without a unit it is in that, but a fidelity up to 1 is no percentage.
 */
function limitIn({ limit, unit }: Count, column: string): number {
  if (unit === '') return column === '%' && Math.abs(limit) <= 1 ? limit * 100 : limit;
  const factor = unitFactor(UNIT_WORDS[unit.toLowerCase()] ?? unit, column) ?? 1;
  return Number((limit * factor).toPrecision(12));
}

type Count = Extract<Statistic, { type: 'count' }>;

const countBody = ({ side, limit }: Count, name: string, unit: string) => [
  `found = sorted([(v, q) for q, v in x.items() if v ${side === 'above' ? '>' : '<'} ${limit}]${side === 'above' ? ', reverse=True' : ''})`,
  'named = ", ".join(f"Q{int(q):02d} {v:.4g}" if q.isdigit() else f"{q} {v:.4g}" for v, q in found[:10])',
  `result = {"output": f"{len(found)} of {count} qubits have ${name} ${side} ${limit}${unit}" + (f": {named}" if found else "") + (" and more" if len(found) > 10 else "")}`,
];

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
