import { watch } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from '../base/log.ts';
import type { ResourceStack } from '../base/resource-stack.ts';
import { readExpertFolder } from './expert-folder.ts';
import { readGeneration, type ExpertGeneration } from './expert-generation.ts';

/** The shipped experts, as their files were when they were read last. */
export type ExpertCatalog = {
  /** Never changes itself; whoever answers one request from it takes it once. */
  readonly current: ExpertGeneration;
  /**
   * Reads the files again. What was read stays when they say the same as before. However many ask, one reading follows
   * the other after a pause; those who ask before it begins share it.
   * @throws StartupError when the folder cannot be read; what was read before then stays.
   */
  reload(): Promise<ExpertGeneration>;
};

/** Between two readings: anybody may ask for them. */
const PAUSE_MS = 100;

/** How long files have to be still before they are read: editors write in several steps. */
const STILL_MS = 100;

/** Reads a folder of experts and, asked to, reads it again whenever it changes, until `opening` ends it. */
export async function openExpertCatalog(
  options: { readonly folder: string; readonly watched: boolean; readonly log: Logger },
  resources: ResourceStack,
): Promise<ExpertCatalog> {
  const { folder, watched, log } = options;
  let current = await read(folder, log);
  let free: Promise<unknown> = Promise.resolve();
  let waiting: Promise<ExpertGeneration> | null = null;
  const readNow = async (): Promise<ExpertGeneration> => {
    waiting = null; // who asks from here on may know of a change that this reading misses
    current = await read(folder, log, current);
    return current;
  };
  const reload = (): Promise<ExpertGeneration> => {
    if (waiting === null) {
      waiting = free.then(readNow);
      free = waiting.catch(() => undefined).then(() => sleep(PAUSE_MS, undefined, { ref: false }));
    }
    return waiting;
  };
  if (watched) watchFolder(folder, log, reload, resources);
  return {
    get current() {
      return current;
    },
    reload,
  };
}

async function read(folder: string, log: Logger, before?: ExpertGeneration): Promise<ExpertGeneration> {
  const generation = readGeneration(await readSettled(() => readExpertFolder(folder)));
  if (before?.hash === generation.hash) return before;
  const { remarks, experts } = generation;
  if (remarks.length > 0) log.warn({ remarks }, 'some files of experts are not used as they are');
  if (before !== undefined) log.info({ experts: [...experts.keys()] }, 'the experts were read again');
  return generation;
}

/** Readings until two are the same; a folder that never stands still is taken as it was read last. */
const MAX_READINGS = 5;

/**
 * A reading that nobody wrote into: files are read one by one, so while a folder is replaced, one reading may hold the
 * settings of the old expert and the instructions of the new one.
 */
export async function readSettled<Reading>(readOnce: () => Promise<Reading>): Promise<Reading> {
  let last = await readOnce();
  for (let readings = 1; readings < MAX_READINGS; readings += 1) {
    const next = await readOnce();
    if (isDeepStrictEqual(last, next)) return next;
    last = next;
  }
  return last;
}

function watchFolder(
  folder: string,
  log: Logger,
  reload: () => Promise<unknown>,
  resources: ResourceStack,
): void {
  let timer: NodeJS.Timeout | undefined;
  const onFailure = (error: unknown): void =>
    log.warn({ err: error }, 'changed files of experts are not seen; use the mutation reloadExperts');
  const watcher = watch(folder, { recursive: true, persistent: false }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => void reload().catch(onFailure), STILL_MS).unref();
  });
  watcher.on('error', onFailure);
  resources.defer(() => {
    clearTimeout(timer);
    watcher.close();
  });
}
