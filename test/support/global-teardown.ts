import { runStores } from './global-setup.ts';

/** Jest's entry: stops what the setup started. */
export default async function tearDown(): Promise<void> {
  await runStores?.stop();
}
