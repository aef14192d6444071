import { BSON, type Db, type Document } from 'mongodb';
import { readRecord } from '../../domain/values/stored-values.ts';
import type { CalibrationStore } from '../calibration-store.ts';

/**
 * The time of the server's newest write, which a member of a replica set and the embedded server report to anybody who
 * says hello. Other servers report none.
 */
export function writeClockReads(db: Db): Pick<CalibrationStore, 'writeClock'> {
  return {
    async writeClock() {
      const hello: Document = await db.command({ hello: 1 });
      const opTime: unknown = readRecord(hello['lastWrite'])['opTime'];
      return opTime === undefined ? null : BSON.EJSON.stringify(opTime);
    },
  };
}
