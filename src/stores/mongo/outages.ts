/** The error of reads while the calibration database is unreachable. */
import { MongoNetworkError, MongoServerSelectionError, MongoTopologyClosedError } from 'mongodb';
import { CalibrationAwayError } from '../../base/errors.ts';
import type { CalibrationStore } from '../calibration-store.ts';

/** The last one is the error of reads that waited for a first connection together. */
const UNREACHABLE = [MongoNetworkError, MongoServerSelectionError, MongoTopologyClosedError];

/** Whether MongoDB could not be reached. */
export const isAway = (error: unknown): boolean => UNREACHABLE.some((kind) => error instanceof kind);

/** The same reads, rejecting with a {@link CalibrationAwayError} during an outage. */
export const reportingOutages = (store: CalibrationStore): CalibrationStore =>
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
      throw isAway(error) ? new CalibrationAwayError({ cause: error }) : error;
    }
  };
