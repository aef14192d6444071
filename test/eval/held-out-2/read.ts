/** The reader of this set: its questions with what is expected of them, and the files that they are about. */
import { readDevice, type SnapshotFiles } from '../held-out/device.ts';
import type { HeldOut } from '../held-out/held-out.ts';
import { judgedQuestions, type JudgedQuestion } from '../held-out/judged-question.ts';
import { EVAL_NOW } from '../now.ts';
import { misleading, type Forbidden } from '../scoring/expectation.ts';
import { FEZ } from './fez.ts';
import { NAIROBI } from './nairobi.ts';
import { POUGHKEEPSIE } from './poughkeepsie.ts';
import { TORINO } from './torino.ts';

/** Questions about a device, the bounds of periods that they ask for, and what no answer about it may say. */
type DeviceSet = {
  readonly files: readonly SnapshotFiles[];
  readonly questions: readonly HeldOut[];
  readonly within: readonly string[];
  readonly never: readonly Forbidden[];
};

const trend = misleading(/\b(?:falling|rising|steadily)\b|低下（|上昇（/iu, 'a trend of two or three values');

const SETS: Readonly<Record<string, DeviceSet>> = {
  torino: {
    files: [['2025-02-26', 'ibm-backends/props_torino.json', 'ibm-backends/conf_torino.json']],
    questions: TORINO,
    within: days('2025-01-01 2025-02-01 2025-03-01 2026-05-06 2026-05-13'),
    never: [],
  },
  fez: {
    files: history('fez', '2025-01-22', '2025-01-23', '2025-02-26'),
    questions: FEZ,
    within: days(
      '2025-01-01 2025-01-22 2025-01-23 2025-01-24 2025-02-01 2025-02-26 2025-02-27 2025-03-01 2025-04-01',
    ),
    never: [trend],
  },
  nairobi: {
    files: history('nairobi', '2021-12-09', '2024-05-27'),
    questions: NAIROBI,
    within: days(
      '2021-01-01 2021-12-01 2021-12-09 2021-12-10 2022-01-01 2023-01-01 2024-01-01 2024-05-01 2024-05-27 2024-05-28 2024-06-01 2025-01-01',
    ),
    never: [trend],
  },
  poughkeepsie: {
    files: [['2020-02-29', 'ibm-backends/props_poughkeepsie.json', 'ibm-backends/conf_poughkeepsie.json']],
    questions: POUGHKEEPSIE,
    within: days('2019-10-01 2019-11-01 2020-02-01 2020-02-29 2020-03-01 2026-05-06 2026-05-13'),
    never: [],
  },
};

function history(device: string, ...of: readonly string[]): readonly SnapshotFiles[] {
  return of.map((day) => [
    day,
    `ibm-history/props_${device}.${day}.json`,
    `ibm-history/conf_${device}.${day}.json`,
  ]);
}

function days(list: string): readonly string[] {
  // And the time at which questions are asked.
  return [...list.split(' '), EVAL_NOW.toISOString().slice(0, 10)];
}

/** Properties and configurations of each device, below `data` of the shared folder. */
export const HELD_OUT_2_FILES: readonly (readonly string[])[] = Object.values(SETS).map(({ files }) =>
  files.flatMap(([, properties, configuration]) => [properties, configuration]),
);

/** All questions, computed from the snapshots in `folder`, which is `data` of the shared folder. */
export async function readHeldOut2(folder: string): Promise<readonly JudgedQuestion[]> {
  const all = await Promise.all(
    Object.entries(SETS).map(async ([name, { files, questions, within, never }]) => {
      const device = await readDevice(folder, name, files);
      return judgedQuestions(device, questions, (own) => ({
        ...own,
        // That a part is disabled may be said beside any answer.
        mayName: [...own.mayName, ...device.now.disabled.map(({ id }) => id)],
        within,
        never: [...own.never, ...never],
      }));
    }),
  );
  return all.flat();
}
