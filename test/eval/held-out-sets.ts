/** The sets of questions that are kept aside: how to read each, and what to import for it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { CalibrationWriter } from '../../src/import/calibration-writer.ts';
import type { JudgedQuestion } from './held-out/judged-question.ts';
import { HELD_OUT_2_FILES, readHeldOut2 } from './held-out-2/read.ts';
import { importHeldOut3, readHeldOut3 } from './held-out-3/read.ts';
import { importHeldOut4, readHeldOut4 } from './held-out-4/read.ts';
import { importHeldOut5, readHeldOut5 } from './held-out-5/read.ts';
import { importPairs, PROJECT } from './lab.ts';
import { VERDICTS, type Verdict } from './scoring/judge.ts';

/** What persons decided about answers that code could not: by question and exact answer, but for its notices. */
export type Readings = Readonly<Record<string, Verdict>>;

/** A set; `folder` is `data` of the shared folder. */
export type HeldOutSet = {
  readonly read: (folder: string) => Promise<readonly JudgedQuestion[]>;
  /** Imports the chips that it is about, but for those that every lab has. */
  readonly importInto: (writer: CalibrationWriter, folder: string) => Promise<void>;
  readonly readings: () => Readings;
};

/** The names that `--set` takes. */
export const KEPT_ASIDE = ['held-out-2', 'held-out-3', 'held-out-4', 'held-out-5'] as const;
type KeptAside = (typeof KEPT_ASIDE)[number];

/** Whether a set is one of these. */
export const isKeptAside = (set: string): set is KeptAside => set in HELD_OUT_SETS;

/** By name. */
export const HELD_OUT_SETS: Readonly<Record<KeptAside, HeldOutSet>> = {
  'held-out-2': {
    read: readHeldOut2,
    importInto: async (writer, folder) => {
      for (const files of HELD_OUT_2_FILES) {
        await importPairs(
          writer,
          files.map((file) => join(folder, file)),
        );
      }
    },
    readings: () => readingsIn('held-out-2'),
  },
  'held-out-3': {
    read: readHeldOut3,
    importInto: (writer, folder) => importHeldOut3(writer, folder, PROJECT),
    readings: () => readingsIn('held-out-3'),
  },
  'held-out-4': {
    read: readHeldOut4,
    importInto: (writer, folder) => importHeldOut4(writer, folder, PROJECT),
    readings: () => readingsIn('held-out-4'),
  },
  'held-out-5': {
    read: readHeldOut5,
    importInto: (writer, folder) => importHeldOut5(writer, folder, PROJECT),
    readings: () => readingsIn('held-out-5'),
  },
};

const readingsIn = (set: string): Readings =>
  z
    .record(z.string(), z.enum(VERDICTS))
    .parse(JSON.parse(readFileSync(new URL(`./${set}/readings.json`, import.meta.url), 'utf8')));
