import { startRunStores } from './run-stores.ts';
import type { RunStores } from './run-stores.ts';

/** The run's servers, for the teardown. Both are loaded by the same process, outside of any test's realm. */
export let runStores: RunStores | undefined;

/** Jest's entry: starts one Postgres and one MongoDB-compatible server for the run. */
export default async function setUp(): Promise<void> {
  runStores = await startRunStores();
}
