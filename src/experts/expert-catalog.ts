import { watch } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from '../base/log.ts';
import type { ResourceStack } from '../base/resource-stack.ts';
import { readExpertFolder } from './expert-folder.ts';
import { readGeneration, type ExpertGeneration } from './expert-generation.ts';

/** The shipped experts as of the last reading of their files. */
export type ExpertCatalog = {
  /** Immutable; take it once per request. */
  readonly current: ExpertGeneration;
  /**
   * Reads the files again; `current` stays the same object if nothing changed. Readings are serialised with a pause
   * between them, and concurrent callers share the next one.
   * @throws StartupError if the folder cannot be read; `current` is kept then.
   */
  reload(): Promise<ExpertGeneration>;
};

/** Between two readings, since any user may request them. */
const PAUSE_MS = 100;

/** Quiet time before reading, since editors write in several steps. */
const STILL_MS = 100;

/** Reads a folder of experts and, if `watched`, reads it again on changes until `resources` are closed. */
export async function openExpertCatalog(
  options: { readonly folder: string; readonly watched: boolean; readonly log: Logger },
  resources: ResourceStack,
): Promise<ExpertCatalog> {
  const { folder, watched, log } = options;
  let current = await read(folder, log);
  let free: Promise<unknown> = Promise.resolve();
  let waiting: Promise<ExpertGeneration> | null = null;
  const readNow = async (): Promise<ExpertGeneration> => {
    waiting = null; // later callers may know of changes that this reading misses
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
  if (remarks.length > 0) log.warn({ remarks }, 'some expert files have problems');
  if (before !== undefined) log.info({ experts: [...experts.keys()] }, 'the experts were reloaded');
  return generation;
}

/** Readings until two agree; the last one is used if none do. */
const MAX_READINGS = 5;

/**
 * Repeats a reading until it is stable: files are read one by one, so while a folder is being replaced, a reading may
 * mix settings of the old expert with instructions of the new one.
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
