/** The reader of this set: its questions with what is expected of them, and a fingerprint of both. */
import { createHash } from 'node:crypto';
import { EVAL_NOW } from '../now.ts';
import { misleading, type Expectation, type Forbidden } from '../scoring/expectation.ts';
import { readDevice, type Device } from './device.ts';
import { FEZ } from './fez.ts';
import type { HeldOut, HeldOutKind } from './held-out.ts';
import { NAIROBI } from './nairobi.ts';
import { POUGHKEEPSIE } from './poughkeepsie.ts';
import { TORINO } from './torino.ts';

/** A question that can be asked and scored. */
export type JudgedQuestion = {
  /** `torino/7`: the seventh of its device. */
  readonly id: string;
  readonly kind: HeldOutKind;
  readonly chipId: string;
  readonly messages: readonly string[];
  readonly expectation: Expectation;
  readonly device: Device;
};

/** Questions about a device, the bounds of periods that they ask for, and what no answer about it may say. */
type DeviceSet = {
  readonly questions: readonly HeldOut[];
  readonly within: readonly string[];
  readonly never: readonly Forbidden[];
};

const trend = misleading(/\b(?:falling|rising|steadily)\b|低下（|上昇（/iu, 'a trend of two or three values');

const SETS: Readonly<Record<string, DeviceSet>> = {
  torino: {
    questions: TORINO,
    within: days('2025-01-01 2025-02-01 2025-03-01 2026-05-06 2026-05-13'),
    never: [],
  },
  fez: {
    questions: FEZ,
    within: days(
      '2025-01-01 2025-01-22 2025-01-23 2025-01-24 2025-02-01 2025-02-26 2025-02-27 2025-03-01 2025-04-01',
    ),
    never: [trend],
  },
  nairobi: {
    questions: NAIROBI,
    within: days(
      '2021-01-01 2021-12-01 2021-12-09 2021-12-10 2022-01-01 2023-01-01 2024-01-01 2024-05-01 2024-05-27 2024-05-28 2024-06-01 2025-01-01',
    ),
    never: [trend],
  },
  poughkeepsie: {
    questions: POUGHKEEPSIE,
    within: days('2019-10-01 2019-11-01 2020-02-01 2020-02-29 2020-03-01 2026-05-06 2026-05-13'),
    never: [],
  },
};

function days(list: string): readonly string[] {
  // And the time at which questions are asked.
  return [...list.split(' '), EVAL_NOW.toISOString().slice(0, 10)];
}

/** All questions, computed from the snapshots in `folder`, which is `data` of the shared folder. */
export async function readHeldOut(folder: string): Promise<readonly JudgedQuestion[]> {
  const devices = await Promise.all(Object.keys(SETS).map((name) => readDevice(folder, name)));
  return devices.flatMap((device) =>
    setOf(device).questions.map(({ kind, text, expect }, index) => ({
      id: `${device.name}/${index + 1}`,
      kind,
      chipId: device.name,
      messages: [text],
      expectation: expectationOf(device, expect(device), setOf(device)),
      device,
    })),
  );
}

const setOf = ({ name }: Device): DeviceSet => {
  const set = SETS[name];
  if (set === undefined) throw new Error(`no questions about ${name}`);
  return set;
};

const expectationOf = (device: Device, own: Expectation, { within, never }: DeviceSet): Expectation => ({
  ...own,
  // That a part is disabled may be said beside any answer.
  mayName: [...own.mayName, ...device.now.disabled.map(({ id }) => id)],
  within,
  never: [...own.never, ...never],
});

/** The same for the same questions, expectations and files: two scores with one fingerprint can be compared. */
export function fingerprintOf(questions: readonly JudgedQuestion[]): string {
  const content = questions.map(({ id, kind, messages, expectation, device }) => [
    id,
    kind,
    messages,
    expectation,
    device.digest,
  ]);
  const text = JSON.stringify(content, (_, value: unknown) =>
    value instanceof RegExp ? String(value) : value,
  );
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
