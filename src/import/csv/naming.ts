/** Whether a table names qubits by row and column: `0_6` may be a qubit or a coupling. */
import type { MetricScope } from '../../domain/values/metric.ts';
import { refuseFile } from '../../sources/tables/csv-text.ts';
import { isGridPair, mayBeGridName, readPlace } from './entities.ts';
import type { TablePlan } from './table-shape.ts';
import type { TableHints } from './table-subject.ts';

/** How names are read, and what nobody has confirmed of that. */
export type NamingChoice = Pick<TablePlan, 'naming' | 'guesses'>;

/** @throws InvalidInputError where `0_6` may be either. */
export function chooseNaming(
  texts: readonly string[],
  scopes: readonly MetricScope[],
  { naming, isGridChip }: TableHints,
): NamingChoice {
  if (naming !== null) return { naming, guesses: [] };
  const [name] = texts.filter(mayBeGridName);
  if (isGridChip || texts.some(isGridPair)) return { naming: 'grid', guesses: [] };
  if (name === undefined || texts.some((text) => readPlace(text)?.kind === 'qubit')) {
    return { naming: 'numbers', guesses: [] };
  }
  const [scope, ...others] = new Set(scopes);
  if (scope === undefined || others.length > 0) {
    throw refuseFile(
      `${JSON.stringify(name)} may be a qubit by row and column or a coupling: pass --names grid or --names pairs`,
    );
  }
  return scope === 'QUBIT'
    ? { naming: 'grid', guesses: [`${name} is a qubit by row and column (--names grid or pairs)`] }
    : { naming: 'numbers', guesses: [] };
}
