/** Tables as Parquet files: the only form in which an uploaded table is kept and read. */
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { asyncBufferFromFile, parquetRead } from 'hyparquet';
import { parquetWriteFile } from 'hyparquet-writer';
import type { DatasetColumnType, DatasetValue } from '../../domain/datasets/dataset.ts';
import type { TypedColumn } from './column-values.ts';

const PARQUET_TYPES = {
  number: 'DOUBLE',
  text: 'STRING',
  datetime: 'TIMESTAMP',
} as const satisfies Record<DatasetColumnType, string>;

/** Writes a table to `path`, which no one else may use; it is on disk when this returns. Blocks its thread. */
export function writeParquet(path: string, columns: readonly TypedColumn[]): void {
  parquetWriteFile({
    filename: path,
    columnData: columns.map(({ name, type, values }) => ({
      name,
      type: PARQUET_TYPES[type],
      data: [...values],
    })),
    createdBy: 'qpilot',
  });
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A value as the file holds it. @throws TypeError for one that {@link writeParquet} never writes. */
function valueOf(value: unknown): DatasetValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  throw new TypeError(`a table holds a value of type ${typeof value}`);
}

/** Reads some columns of a file, by name; times come as ISO 8601 text. */
export async function readParquet(
  path: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly DatasetValue[]>> {
  const columns = new Map(names.map((name): [string, DatasetValue[]] => [name, []]));
  if (names.length === 0) return columns;
  const file = await asyncBufferFromFile(path);
  await parquetRead({
    file,
    columns: [...names],
    onChunk: ({ columnName, columnData, rowStart }) => {
      const column = columns.get(columnName);
      if (column === undefined) return;
      for (let index = 0; index < columnData.length; index += 1) {
        column[rowStart + index] = valueOf(columnData[index]);
      }
    },
  });
  return columns;
}
