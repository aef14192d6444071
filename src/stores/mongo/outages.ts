/** The errors of a calibration database that is unreachable, too slow, or has no room. */
import { isNativeError } from 'node:util/types';
import {
  MongoBulkWriteError,
  MongoClientClosedError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
} from 'mongodb';
import { CalibrationAwayError, CalibrationSlowError, DiskFullError, OutageError } from '../../base/errors.ts';
import { currentBudget } from '../../base/read-budget.ts';

const UNREACHABLE = [
  MongoNetworkError,
  MongoServerSelectionError,
  // While the driver connects, for the first time or anew.
  MongoTopologyClosedError,
  MongoNotConnectedError,
  MongoClientClosedError,
];

/** A socket broke while the driver waited until it could write more: it passes the error of Node.js on. */
const BROKEN_SOCKET: ReadonlySet<unknown> = new Set(['EPIPE', 'ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT']);

/** Whether MongoDB could not be reached, or did not answer within the budget of a read. */
export const isAway = (error: unknown): boolean =>
  error instanceof CalibrationAwayError ||
  UNREACHABLE.some((kind) => error instanceof kind) ||
  (error instanceof MongoBulkWriteError && isOfDriver(error)) ||
  (isNativeError(error) && 'code' in error && BROKEN_SOCKET.has(error.code));

/** Many writes fail with one error, which hides that of the connection; what the server refuses has a code. */
const isOfDriver = ({ code, writeErrors }: MongoBulkWriteError): boolean =>
  code === undefined && [writeErrors].flat().length === 0;

const MAX_TIME_EXPIRED = 50;
const OUT_OF_DISK_SPACE = 14_031;

function typed(error: unknown): unknown {
  if (error instanceof OutageError) return error;
  if (isAway(error)) return new CalibrationAwayError({ cause: error });
  if (!(error instanceof MongoServerError)) return error;
  if (error.code === MAX_TIME_EXPIRED) return new CalibrationSlowError({ cause: error });
  return error.code === OUT_OF_DISK_SPACE ? new DiskFullError({ cause: error }) : error;
}

/**
 * The same reads or writes; they reject with an {@link OutageError} where the database is to blame. While it is away,
 * those that run within a budget with patience are tried again.
 */
export const reportingOutages = <Store extends object>(store: Store): Store =>
  new Proxy(store, {
    get(target, name, receiver) {
      const read: unknown = Reflect.get(target, name, receiver);
      return typeof read === 'function' ? reading(read) : read;
    },
  });

const reading =
  (read: Function) =>
  async (...args: readonly unknown[]): Promise<unknown> => {
    for (;;) {
      try {
        return await (Reflect.apply(read, undefined, args) as Promise<unknown>);
      } catch (error) {
        const failure = typed(error);
        const budget = currentBudget();
        if (!(failure instanceof CalibrationAwayError) || !budget?.patience) throw failure;
        if (!(await budget.patience.pause(budget))) throw failure;
      }
    }
  };
