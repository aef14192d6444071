/** The errors of reads while the calibration database is unreachable, or too slow. */
import { isNativeError } from 'node:util/types';
import {
  MongoClientClosedError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
} from 'mongodb';
import { CalibrationAwayError, CalibrationSlowError } from '../../base/errors.ts';

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
  (isNativeError(error) && 'code' in error && BROKEN_SOCKET.has(error.code));

/** MongoDB's MaxTimeMSExpired. */
const isSlow = (error: unknown): boolean => error instanceof MongoServerError && error.code === 50;

/** The same reads; they reject with a {@link CalibrationAwayError} or a {@link CalibrationSlowError}. */
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
    try {
      return await (Reflect.apply(read, undefined, args) as Promise<unknown>);
    } catch (error) {
      if (isSlow(error)) throw new CalibrationSlowError({ cause: error });
      throw isAway(error) && !(error instanceof CalibrationAwayError)
        ? new CalibrationAwayError({ cause: error })
        : error;
    }
  };
