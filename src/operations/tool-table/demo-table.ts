import { join } from 'node:path';
import type { Datasets } from '../../agent/data/datasets.ts';
import { planQuery } from '../../domain/datasets/dataset-query.ts';
import { createTableThread } from '../../sources/tables/table-thread.ts';

/** Contrast of two qubits over the length of a pulse: a table as people upload them. */
function sweepCsv(): string {
  const rows = [20, 24, 28, 32, 36, 40].flatMap((lengthNs) =>
    ['Q12', 'Q13'].map((qid, index) => {
      const contrast = 0.9 * Math.sin((Math.PI * lengthNs) / (60 + 8 * index));
      return `${qid},${lengthNs},${contrast.toFixed(4)}`;
    }),
  );
  return ['qid,pulse length (ns),contrast', ...rows].join('\n');
}

/** A session's uploads with this one table, named `pulse_sweep`, kept in `folder`, which stays the caller's. */
export async function openDemoTable(folder: string, signal: AbortSignal): Promise<Datasets> {
  const thread = createTableThread();
  const path = join(folder, 'pulse-sweep.parquet');
  const bytes = new TextEncoder().encode(sweepCsv());
  const shape = await thread.convert({ bytes, path }, signal);
  const file = { id: 'demo', name: 'pulse sweep.csv', sizeBytes: bytes.length, createdAt: new Date(0) };
  return {
    all: [{ dataset: 'pulse_sweep', upload: { ...file, ...shape } }],
    query: (upload, query, stop) =>
      thread.query({ path, plan: planQuery(upload, query), rowCount: upload.rowCount }, stop),
  };
}
