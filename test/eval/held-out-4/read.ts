/** The reader of this set: its questions with what is expected of them, and what is imported for it. */
import { join } from 'node:path';
import type { CalibrationWriter } from '../../../src/import/calibration-writer.ts';
import { importCirqFiles } from '../../../src/import/import-cirq.ts';
import { shippedMetrics } from '../../support/catalogue.ts';
import { readDevice, type SnapshotFiles } from '../held-out/device.ts';
import type { HeldOut } from '../held-out/held-out.ts';
import { judgedQuestions, type JudgedQuestion } from '../held-out/judged-question.ts';
import { importHeldOut3 } from '../held-out-3/read.ts';
import { readAthens, readPlatinum } from '../held-out-3/series.ts';
import { importPairs } from '../lab.ts';
import { EVAL_NOW } from '../now.ts';
import { ATHENS } from './athens.ts';
import { FEZ } from './fez.ts';
import { RAINBOW_FILE, readGrid } from './grid.ts';
import { MANILA } from './manila.ts';
import { PLATINUM } from './platinum.ts';
import { POUGHKEEPSIE } from './poughkeepsie.ts';
import { RAINBOW } from './rainbow.ts';
import { TORINO } from './torino.ts';

const backend = (name: string, day: string): readonly SnapshotFiles[] => [
  [day, `ibm-backends/props_${name}.json`, `ibm-backends/conf_${name}.json`],
];

/** Snapshots of each device, oldest first; its questions; how the bounds of periods start that they ask for. */
const DEVICES: Readonly<Record<string, readonly [readonly SnapshotFiles[], readonly HeldOut[], string]>> = {
  torino: [backend('torino', '2025-02-26'), TORINO, '2024-12 2025'],
  poughkeepsie: [backend('poughkeepsie', '2020-02-29'), POUGHKEEPSIE, '2019 2020'],
  manila: [backend('manila', '2024-05-27'), MANILA, '2024'],
  fez: [
    ['2025-01-22', '2025-01-23', '2025-02-26'].map((day) => [
      day,
      `ibm-history/props_fez.${day}.json`,
      `ibm-history/conf_fez.${day}.json`,
    ]),
    FEZ,
    '2025',
  ],
};

/** All questions, computed from the files in `folder`, which is `data` of the shared folder. */
export async function readHeldOut4(folder: string): Promise<readonly JudgedQuestion[]> {
  const devices = await Promise.all(
    Object.entries(DEVICES).map(async ([name, [files, questions, within]]) => {
      const device = await readDevice(folder, name, files);
      return judgedQuestions(device, questions, (own) => ({
        ...own,
        // That a part is disabled may be said beside any answer.
        mayName: [...own.mayName, ...device.now.disabled.map(({ id }) => id)],
        within: [...within.split(' '), EVAL_NOW.toISOString().slice(0, 10)],
      }));
    }),
  );
  return [
    ...devices.flat(),
    ...judgedQuestions(await readGrid(folder), RAINBOW, (own) => own),
    ...judgedQuestions(await readAthens(folder), ATHENS, (own) => own),
    ...judgedQuestions(await readPlatinum(folder), PLATINUM, (own) => own),
  ];
}

/** Imports what is not in every lab. */
export async function importHeldOut4(
  writer: CalibrationWriter,
  folder: string,
  project: string,
): Promise<void> {
  for (const [name, [files]] of Object.entries(DEVICES)) {
    if (name === 'manila') continue;
    await importPairs(
      writer,
      files.flatMap(([, properties, configuration]) => [
        join(folder, properties),
        join(folder, configuration),
      ]),
    );
  }
  await importHeldOut3(writer, folder, project);
  await importCirqFiles(writer, {
    paths: [join(folder, RAINBOW_FILE)],
    chipId: 'rainbow',
    project,
    time: null,
    metrics: shippedMetrics,
    print: () => {},
  });
}
