/** The public surface of this package; see README.md. */
export { isDiskFull } from './disk-full.ts';
export { tryFileLock, type FileLock } from './file-lock.ts';
export type { StoresLog } from './log.ts';
export { startMongo, type MongoOptions } from './mongo/start.ts';
export { stopLeftovers } from './postgres/leftovers.ts';
export { startPostgres, type PostgresOptions } from './postgres/start.ts';
export { StoresError } from './stores-error.ts';
export { openStores, type Stores, type StoresOptions } from './stores.ts';
