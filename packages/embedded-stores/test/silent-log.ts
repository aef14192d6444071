import type { StoresLog } from '../src/log.ts';

const ignore = (): void => undefined;

/** A log that drops everything. */
export const silentLog: StoresLog = { debug: ignore, info: ignore, warn: ignore, error: ignore };
