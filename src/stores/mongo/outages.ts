/** What reads of the calibration database reject with while it cannot be reached. */
import { MongoNetworkError, MongoServerSelectionError, MongoTopologyClosedError } from 'mongodb';
import { CalibrationAwayError } from '../../base/errors.ts';
import type { CalibrationStore } from '../calibration-store.ts';

/** The last one is said to reads that waited together for a first connection. */
const UNREACHABLE = [MongoNetworkError, MongoServerSelectionError, MongoTopologyClosedError];

/** Whether MongoDB could not be reached. */
export const isAway = (error: unknown): boolean => UNREACHABLE.some((kind) => error instanceof kind);

/** The same reads, which then reject with a {@link CalibrationAwayError}. */
export const tellingOutages = (store: CalibrationStore): CalibrationStore =>
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
