import type { Db } from 'mongodb';
import { openCalibrationWriter } from './calibration-writer.ts';
import { writeDemo } from './demo.ts';

/**
 * Writes the demo chip into a database without chips, so that there is something to ask about on a fresh machine.
 * @returns whether it was written.
 * @throws StartupError if the database is somebody else's.
 */
export async function ensureDemo(db: Db, now: Date): Promise<boolean> {
  const chip = await db.collection('chip').findOne({}, { projection: { _id: 1 } });
  if (chip !== null) return false;
  await writeDemo(await openCalibrationWriter(db), now);
  return true;
}
