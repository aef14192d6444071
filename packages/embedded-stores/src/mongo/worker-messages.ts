/** Messages between `start.ts` and the worker thread. Any message to the worker means stop. */
import { z } from 'zod';

/** The worker's settings. */
export const WORKER_DATA = z.object({
  file: z.string(),
  socketPath: z.string(),
  checkQueries: z.boolean(),
  shuffleSeed: z.number().optional(),
});

/** Messages from the worker. */
export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'log'; readonly level: 'info' | 'warn' | 'error'; readonly message: string };
