/** Calls of the Python in `programs`, over answers of tools that were kept under keys. */
import type { Statistic } from '../../domain/questions/statistic.ts';
import { pythonProgram } from '../shared/python.ts';
import { planned, type PlannedCall } from '../shared/tool-answers.ts';

/** Calls of a program by what is put in it. */
export function programCalls(
  name: string,
): (parts: Readonly<Record<string, string | number>>) => PlannedCall {
  const program = pythonProgram(new URL(`programs/${name}.py`, import.meta.url));
  return (parts) => planned('execute_python_analysis', { code: program(parts) });
}

const distribution = programCalls('distribution');
const correlation = programCalls('correlation');

/** A parameter of a chip summary and how it is shown. */
export type PythonColumn = { readonly name: string; readonly unit: string; readonly scale: number };

/** A statistic, with its chart, of the summary kept under `key`; only correlations use the second column. */
export function statisticCall(
  { type }: Statistic,
  key: string,
  [x, y = x]: readonly [PythonColumn, ...PythonColumn[]],
): PlannedCall {
  const axisOf = ({ name, unit }: PythonColumn): string => (unit === '' ? name : `${name} (${unit})`);
  return (type === 'correlation' ? correlation : distribution)({
    KEY: JSON.stringify(key),
    X_NAME: x.name,
    X_SCALE: x.scale,
    X_UNIT: x.unit === '' ? '' : ` ${x.unit}`,
    X_AXIS: axisOf(x),
    Y_NAME: y.name,
    Y_SCALE: y.scale,
    Y_AXIS: axisOf(y),
  });
}
