/** The reader of this set: its questions with what is expected of them, and what is imported for it. */
import { join } from 'node:path';
import type { CalibrationWriter } from '../../../src/import/calibration-writer.ts';
import { importCsvFile } from '../../../src/import/import-csv-file.ts';
import { importQibolab } from '../../../src/import/import-qibolab.ts';
import { shippedMetrics } from '../../support/catalogue.ts';
import { readDevice } from '../held-out/device.ts';
import type { HeldOut } from '../held-out/held-out.ts';
import { judgedQuestions, type JudgedQuestion } from '../held-out/judged-question.ts';
import { EVAL_NOW } from '../now.ts';
import { ATHENS } from './athens.ts';
import { AUCKLAND } from './auckland.ts';
import { BRISBANE } from './brisbane.ts';
import { PLATINUM } from './platinum.ts';
import { ATHENS_FILES, PLATINUM_FILES, readAthens, readPlatinum } from './series.ts';

/** All questions, computed from the files in `folder`, which is `data` of the shared folder. */
export async function readHeldOut3(folder: string): Promise<readonly JudgedQuestion[]> {
  const device = async (name: string, day: string, questions: readonly HeldOut[]) => {
    const files = [day, `ibm-backends/props_${name}.json`, `ibm-backends/conf_${name}.json`] as const;
    const source = await readDevice(folder, name, [files]);
    return judgedQuestions(source, questions, (own) => ({
      ...own,
      // That a part is disabled may be said beside any answer.
      mayName: [...own.mayName, ...source.now.disabled.map(({ id }) => id)],
      // Of a single snapshot no period is asked for, but for the days that questions name.
      within: ['2025-01-01', '2025-01-28', '2025-01-30', EVAL_NOW.toISOString().slice(0, 10)],
    }));
  };
  return [
    ...(await device('brisbane', '2025-02-26', BRISBANE)),
    ...(await device('auckland', '2024-05-27', AUCKLAND)),
    ...judgedQuestions(await readAthens(folder), ATHENS, (own) => own),
    ...judgedQuestions(await readPlatinum(folder), PLATINUM, (own) => own),
  ];
}

/** Imports the tables and the platform; brisbane and auckland are in every lab. */
export async function importHeldOut3(
  writer: CalibrationWriter,
  folder: string,
  project: string,
): Promise<void> {
  const common = { project, metrics: shippedMetrics, time: null, yes: true, ask: null, print: () => {} };
  for (const file of Object.values(ATHENS_FILES)) {
    await importCsvFile(writer, {
      ...common,
      path: join(folder, file),
      chipId: 'athens',
      // The first table makes the chip.
      create: file === ATHENS_FILES.t1,
      size: null,
      timeZone: 'UTC',
      skipBad: false,
      parameter: null,
      unit: null,
      naming: null,
      now: EVAL_NOW,
    });
  }
  const paths = PLATINUM_FILES.map((file) => join(folder, file));
  await importQibolab(writer, { ...common, paths, chipId: 'platinum' });
}
