/** Long-running work on tables, executed in a thread. */
import { runQuery, type DatasetAnswer } from '../../domain/datasets/dataset-answer.ts';
import type { DatasetPlan } from '../../domain/datasets/dataset-query.ts';
import type { TableShape } from '../../domain/datasets/dataset.ts';
import { typeColumn } from './column-values.ts';
import { readHeader } from './csv-header.ts';
import { readCsvRows } from './csv-rows.ts';
import { checkCsv } from './csv-text.ts';
import { readParquet, writeParquet } from './parquet-file.ts';

/** Makes a Parquet file of a CSV. */
export type ConvertJob = {
  readonly type: 'convert';
  readonly bytes: Uint8Array;
  /** Where the Parquet file goes. */
  readonly path: string;
};

/** Answers a question about a Parquet file. */
export type QueryJob = {
  readonly type: 'query';
  readonly path: string;
  readonly plan: DatasetPlan;
  readonly rowCount: number;
};

/** @throws InvalidInputError for a file that cannot be taken, naming the line. */
export function convertCsv({ bytes, path }: ConvertJob): TableShape {
  const { header, cells, lines } = readCsvRows(checkCsv(bytes));
  const columns = readHeader(header).map((heading, index) => typeColumn(heading, cells[index] ?? [], lines));
  writeParquet(path, columns);
  return {
    rowCount: lines.length,
    columns: columns.map(({ name, type, unit, missing }) => ({ name, type, unit, missing })),
  };
}

/** @throws InvalidInputError for a filter whose value does not fit its column. */
export async function answerQuery({ path, plan, rowCount }: QueryJob): Promise<DatasetAnswer> {
  const names = plan.reads.map(({ name }) => name);
  return runQuery(plan, await readParquet(path, names), rowCount);
}
