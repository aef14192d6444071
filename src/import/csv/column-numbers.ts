import { readCell } from '../../sources/tables/column-values.ts';
import type { Read } from './table-shape.ts';

/** Every number of some columns, decimal commas read as points; other cells are passed over. */
export function numbersOf(columns: readonly Read[], rowCount: number): readonly number[] {
  const numbers: number[] = [];
  for (const read of columns) {
    for (let row = 0; row < rowCount; row += 1) {
      const cell = readCell(read(row));
      if (cell.type === 'number') numbers.push(cell.value);
      if (cell.type === 'decimal-comma') numbers.push(Number(cell.corrected));
    }
  }
  return numbers;
}
