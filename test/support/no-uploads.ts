import type { Datasets } from '../../src/agent/data/datasets.ts';
import type { Uploads } from '../../src/services/uploads.ts';

/** A session without uploaded tables. */
export const noDatasets: Datasets = {
  all: [],
  query: () => Promise.reject(new Error('the test gave no uploaded table')),
};

/** Uploads of which no session has any. */
export const noUploads: Pick<Uploads, 'ofSession' | 'query'> = {
  ofSession: async () => noDatasets.all,
  query: (upload, query, signal) => noDatasets.query(upload, query, signal),
};
