import type { DatasetAnswer } from '../../domain/datasets/dataset-answer.ts';
import type { DatasetQuery } from '../../domain/datasets/dataset-query.ts';
import type { SessionDataset, Upload } from '../../domain/datasets/dataset.ts';
import type { Uploads } from '../../services/uploads.ts';
import { retryWhileUnavailable } from '../../stores/pg/unavailable.ts';
import type { TurnRun } from '../turn-run.ts';

/** How long a Postgres that is away is waited for. */
const OUTAGE_MS = 10_000;

/** The uploaded tables of one session at the start of a turn. */
export type Datasets = {
  readonly all: readonly SessionDataset[];
  /** @throws InvalidInputError for a query that does not fit the table; NotFoundError when its rows are gone. */
  query(upload: Upload, query: DatasetQuery, signal: AbortSignal): Promise<DatasetAnswer>;
};

export async function openDatasets(
  uploads: Pick<Uploads, 'ofSession' | 'query'>,
  { session, lacks }: Pick<TurnRun, 'session' | 'lacks'>,
): Promise<Datasets> {
  const all = lacks?.includes('TABLES')
    ? []
    : await retryWhileUnavailable(() => uploads.ofSession(session), OUTAGE_MS);
  return { all, query: (upload, query, signal) => uploads.query(upload, query, signal) };
}

/** Prefix of the keys of kept answers about uploaded tables. */
export const DATASET_KEY_PREFIX = 'dataset_';
