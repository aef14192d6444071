/**
 * The demo chip `demo-64`: a plausible 64-qubit device with 60 days of history, made by code. The same day gives the
 * same data on every machine; the history ends on the evening before.
 */
import {
  documentId,
  IMPORT_USERNAME,
  NO_NOTE,
  type ChipDocuments,
  type EntityDocument,
} from './documents.ts';
import { type CalibrationWriter, type WriteReport, openCalibrationWriter } from './calibration-writer.ts';
import { DEMO_COUPLINGS, DEMO_DAYS, DEMO_QUBITS, SECOND_COOLDOWN_DAY } from './demo/device.ts';
import { cooldownOf, runLaboratory } from './demo/laboratory.ts';
import { CHIP_NOTE, QUBIT_NOTES } from './demo/mishaps.ts';
import { DEMO_CHIP, DEMO_PROJECT } from './demo/names.ts';
import { makeRemarks, PEOPLE } from './demo/remarks.ts';
import type { Db } from 'mongodb';

const DAY_MS = 86_400_000;

/** All documents of the demo as of the day of `now` (UTC). Pure. */
export function makeDemo(now: Date): ChipDocuments {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const firstDay = new Date(today - DEMO_DAYS * DAY_MS);
  const lastDay = new Date(today - DAY_MS);
  const { current, ...records } = runLaboratory(firstDay);
  const system_info = { created_at: firstDay, updated_at: lastDay };

  const entity = (collection: string, qid: string): EntityDocument => {
    const data = current.get(qid) ?? {};
    const note = collection === 'qubit' ? QUBIT_NOTES.get(qid) : undefined;
    return {
      _id: documentId(collection, DEMO_PROJECT, DEMO_CHIP, qid),
      project_id: DEMO_PROJECT,
      username: IMPORT_USERNAME,
      chip_id: DEMO_CHIP,
      qid,
      status: Object.keys(data).length > 0 ? 'completed' : 'pending',
      data,
      note: note === undefined ? NO_NOTE : { content: note, updated_by: PEOPLE.lead, updated_at: lastDay },
      system_info,
    };
  };
  const excludedT1 = records.taskResults.findLast(
    ({ name, qid, excluded }) => name === 'CheckT1' && qid === '18' && excluded,
  );
  return {
    ...records,
    remarks: makeRemarks({ firstDay, lastDay }, { excludedT1: excludedT1?.task_id ?? '' }),
    chip: {
      _id: documentId('chip', DEMO_PROJECT, DEMO_CHIP),
      project_id: DEMO_PROJECT,
      username: IMPORT_USERNAME,
      chip_id: DEMO_CHIP,
      size: DEMO_QUBITS.length,
      topology_id: 'square-lattice-mux-64',
      layout: null,
      source: 'demo',
      installed_at: firstDay,
      activity_status: 'active',
      current_cooldown_id: cooldownOf(DEMO_DAYS - 1),
      note: {
        content: CHIP_NOTE,
        updated_by: PEOPLE.lead,
        updated_at: new Date(firstDay.getTime() + SECOND_COOLDOWN_DAY * DAY_MS),
      },
      system_info,
    },
    qubits: DEMO_QUBITS.map(({ qid }) => entity('qubit', qid)),
    couplings: DEMO_COUPLINGS.flatMap(({ control, target }) => [
      entity('coupling', `${control.qid}-${target.qid}`),
      entity('coupling', `${target.qid}-${control.qid}`),
    ]),
  };
}

/** Replaces an older demo by that of today. */
export function writeDemo(writer: CalibrationWriter, now: Date): Promise<WriteReport> {
  return writer.replace(makeDemo(now));
}

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
