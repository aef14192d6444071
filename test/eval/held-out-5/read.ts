/** The reader of this set: its questions with what is expected of them, and what is imported for it. */
import type { CalibrationWriter } from '../../../src/import/calibration-writer.ts';
import { join } from 'node:path';
import { readDevice, type SnapshotFiles } from '../held-out/device.ts';
import type { HeldOut } from '../held-out/held-out.ts';
import { judgedQuestions, type JudgedQuestion } from '../held-out/judged-question.ts';
import { readAthens, readPlatinum } from '../held-out-3/series.ts';
import { readGrid } from '../held-out-4/grid.ts';
import { importHeldOut4 } from '../held-out-4/read.ts';
import { importPairs } from '../lab.ts';
import { EVAL_NOW } from '../now.ts';
import { ATHENS } from './athens.ts';
import { AUCKLAND } from './auckland.ts';
import { BRISBANE } from './brisbane.ts';
import { DEMO } from './demo.ts';
import { readDemoChip } from './demo-chip.ts';
import { FEZ } from './fez.ts';
import { MANILA } from './manila.ts';
import { NAIROBI } from './nairobi.ts';
import { PLATINUM } from './platinum.ts';
import { POUGHKEEPSIE } from './poughkeepsie.ts';
import { RAINBOW } from './rainbow.ts';
import { TORINO } from './torino.ts';

const backend = (name: string, day: string): readonly SnapshotFiles[] => [
  [day, `ibm-backends/props_${name}.json`, `ibm-backends/conf_${name}.json`],
];
const history = (name: string, ...days: readonly string[]): readonly SnapshotFiles[] =>
  days.map((day) => [day, `ibm-history/props_${name}.${day}.json`, `ibm-history/conf_${name}.${day}.json`]);
const NAIROBI_FILES = history('nairobi', '2021-12-09', '2024-05-27');

/** Snapshots of each device, oldest first; its questions; how the bounds of periods start that they ask for. */
const DEVICES: Readonly<Record<string, readonly [readonly SnapshotFiles[], readonly HeldOut[], string]>> = {
  torino: [backend('torino', '2025-02-26'), TORINO, '2024 2025'],
  fez: [history('fez', '2025-01-22', '2025-01-23', '2025-02-26'), FEZ, '2024-12 2025'],
  brisbane: [backend('brisbane', '2025-02-26'), BRISBANE, '2025'],
  nairobi: [NAIROBI_FILES, NAIROBI, '2021 2022-01-01 2024'],
  poughkeepsie: [backend('poughkeepsie', '2020-02-29'), POUGHKEEPSIE, '2019 2020'],
  auckland: [backend('auckland', '2024-05-27'), AUCKLAND, '2024'],
  manila: [backend('manila', '2024-05-27'), MANILA, '2024'],
};

/** All questions, computed from the files in `folder`, which is `data` of the shared folder. */
export async function readHeldOut5(folder: string): Promise<readonly JudgedQuestion[]> {
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
    ...judgedQuestions(readDemoChip(), DEMO, (own) => own),
  ];
}

/** Imports what is not in every lab: what the fourth set is about, and nairobi. */
export async function importHeldOut5(
  writer: CalibrationWriter,
  folder: string,
  project: string,
): Promise<void> {
  await importHeldOut4(writer, folder, project);
  await importPairs(
    writer,
    NAIROBI_FILES.flatMap(([, properties, configuration]) => [
      join(folder, properties),
      join(folder, configuration),
    ]),
  );
}
