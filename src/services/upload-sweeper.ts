import type { Logger } from '../log.ts';
import type { Uploads } from './uploads.ts';

/** Removes unused uploads now and then. Whoever started it closes it. */
export type UploadSweeper = {
  /** Waits for a removal that is under way. */
  close(): Promise<void>;
};

const HOUR_MS = 3600 * 1000;

/** Removes at once what was left behind, then every hour. A removal that fails is logged and tried again. */
export function startUploadSweeper(uploads: Uploads, log: Logger): UploadSweeper {
  const sweep = async (): Promise<void> => {
    try {
      const removed = await uploads.removeUnused();
      if (removed > 0) log.info({ removed }, 'removed unused uploads');
    } catch (error) {
      log.warn({ err: error }, 'unused uploads could not be removed');
    }
  };
  let sweeping = sweep();
  const timer = setInterval(() => {
    sweeping = sweeping.then(sweep);
  }, HOUR_MS);
  timer.unref();
  return {
    close: async () => {
      clearInterval(timer);
      await sweeping;
    },
  };
}
