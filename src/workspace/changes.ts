import { DiskFullError } from '../base/errors.ts';
import { systemCode } from './system-code.ts';

/** Does a change once those before it are done, whatever became of them. @throws DiskFullError where there is no room. */
export type Change = <Result>(work: () => Promise<Result>) => Promise<Result>;

const DISK_FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

/** Tools of one round run side by side, and each looks at what is there before it writes: their changes must not mix. */
export function oneAtATime(): Change {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work).catch((error: unknown) => {
      throw DISK_FULL.has(systemCode(error)) ? new DiskFullError({ cause: error }) : error;
    });
    last = done.catch(() => undefined);
    return done;
  };
}
