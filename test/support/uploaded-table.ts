import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Datasets } from '../../src/agent/data/datasets.ts';
import { planQuery } from '../../src/domain/datasets/dataset-query.ts';
import { createTableThread } from '../../src/sources/tables/table-thread.ts';

/** The one table of a session, converted and read by the real thread. The caller closes it. */
export type UploadedTable = { readonly datasets: Datasets; readonly close: () => Promise<void> };

/** Uploads `csv` as `T1 sweep.csv`, which the session knows as `T1_sweep`. */
export async function openUploadedTable(csv: string): Promise<UploadedTable> {
  const folder = await mkdtemp(join(tmpdir(), 'qpilot-datasets-'));
  const thread = createTableThread();
  const path = join(folder, 'sweep.parquet');
  const { signal } = new AbortController();
  const shape = await thread.convert({ bytes: new TextEncoder().encode(csv), path }, signal);
  const upload = {
    id: 'upload',
    name: 'T1 sweep.csv',
    sizeBytes: csv.length,
    createdAt: new Date(0),
    ...shape,
  };
  return {
    datasets: {
      all: [{ dataset: 'T1_sweep', upload }],
      query: (asked, query, stop) =>
        thread.query({ path, plan: planQuery(asked, query), rowCount: asked.rowCount }, stop),
    },
    close: async () => {
      await thread.close();
      await rm(folder, { recursive: true });
    },
  };
}
