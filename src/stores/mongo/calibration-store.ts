/**
 * The calibration store on a MongoDB database with QDash's collections. It knows the fields, types and indexes of
 * such databases, old and new, but not what values mean. Read-only by construction: nothing in this folder writes
 * or creates an index or a collection, and it uses only operators that both MongoDB and the embedded server
 * support.
 */
import type { Db } from 'mongodb';
import type { CalibrationStore } from '../calibration-store.ts';
import { boundedDb } from './bounded-db.ts';
import { chipMarkReads } from './chip-marks.ts';
import { chipReads } from './chips.ts';
import { cooldownReads } from './cooldowns.ts';
import { currentValueReads } from './current-values.ts';
import { discussionReads } from './discussions.ts';
import { executionReads } from './executions.ts';
import { measurementReads } from './measurements.ts';
import { noteReads } from './notes.ts';
import { reportingOutages } from './outages.ts';
import { provenanceReads } from './provenance.ts';
import { taskResultReads } from './task-results.ts';
import { taskRunReads } from './task-runs.ts';
import { writeClockReads } from './write-clock.ts';

/**
 * Reads of `database`, which the caller closes, within the budget of their work. They reject with a
 * CalibrationAwayError while it is unreachable, and with a CalibrationSlowError at the end of their time.
 */
export function createMongoCalibrationStore(database: Db): CalibrationStore {
  const db = boundedDb(database);
  return reportingOutages({
    ...chipReads(db),
    ...chipMarkReads(db),
    ...writeClockReads(db),
    ...currentValueReads(db),
    ...measurementReads(db),
    ...taskRunReads(db),
    ...taskResultReads(db),
    ...executionReads(db),
    ...noteReads(db),
    ...discussionReads(db),
    ...cooldownReads(db),
    ...provenanceReads(db),
  });
}
