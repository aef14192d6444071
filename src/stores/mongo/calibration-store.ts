/**
 * The calibration port on a MongoDB database with QDash's collections. It knows fields, types and indexes of such databases, old and
 * new, and nothing of what values mean. Read-only by construction: there is no write in this folder, it makes no index and no
 * collection, and it asks only for operators that both MongoDB and QPilot's embedded server have.
 */
import type { Db } from 'mongodb';
import type { CalibrationStore } from '../calibration-store.ts';
import { chipMarkReads } from './chip-marks.ts';
import { chipReads } from './chips.ts';
import { cooldownReads } from './cooldowns.ts';
import { currentValueReads } from './current-values.ts';
import { executionReads } from './executions.ts';
import { measurementReads } from './measurements.ts';
import { noteReads } from './notes.ts';
import { tellingOutages } from './outages.ts';
import { provenanceReads } from './provenance.ts';
import { taskResultReads } from './task-results.ts';
import { taskRunReads } from './task-runs.ts';

/** Reads of `db`, which stays the caller's to close. They reject with a CalibrationAwayError while it cannot be reached. */
export function createMongoCalibrationStore(db: Db): CalibrationStore {
  return tellingOutages({
    ...chipReads(db),
    ...chipMarkReads(db),
    ...currentValueReads(db),
    ...measurementReads(db),
    ...taskRunReads(db),
    ...taskResultReads(db),
    ...executionReads(db),
    ...noteReads(db),
    ...cooldownReads(db),
    ...provenanceReads(db),
  });
}
