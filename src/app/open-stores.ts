import {
  openStores as openEmbedded,
  StoresError,
  type Stores,
  type StoresOptions,
} from '@qpilot/embedded-stores';
import { StartupError } from '../base/errors.ts';

/**
 * Opens the databases of a process: the addresses of the configuration, or the embedded stores of its data folder.
 * @throws StartupError for what a person has to change.
 */
export async function openStores(options: StoresOptions): Promise<Stores> {
  try {
    return await openEmbedded(options);
  } catch (error) {
    throw error instanceof StoresError ? new StartupError(error.message, { cause: error }) : error;
  }
}
