/** A real device as its files have it, for expected facts: every snapshot, oldest first. Shares no code with src. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { inBase, withDifferences, type TrueFigures } from '../scoring/true-figures.ts';

const record = z.object({
  name: z.string(),
  unit: z.string(),
  value: z.number(),
  date: z.iso.datetime({ offset: true }),
});
type IbmRecord = z.infer<typeof record>;
const gate = z.object({ gate: z.string(), qubits: z.array(z.number()), parameters: z.array(record) });
const properties = z.object({
  qubits: z.array(z.array(record)),
  gates: z.array(gate),
  general: z.array(record),
});

/** Figures of a qubit: times in μs, frequencies in GHz, errors as fractions; null where the file has none. */
export type QubitRow = {
  readonly id: string;
  readonly t1: number;
  readonly t2: number;
  readonly readout: number;
  readonly frequency: number | null;
  readonly anharmonicity: number | null;
  readonly t1At: Date;
  readonly t2At: Date;
  readonly readoutAt: Date;
};

/** The two-qubit gate of a pair. Both directions of these devices have one error; an error of 1 disables the gate. */
export type PairRow = {
  /** Lower qubit first: `4-5`. */
  readonly id: string;
  readonly error: number;
  readonly isDisabled: boolean;
  readonly at: Date;
};

/** What is known of a chip that is asked about, whatever its files are like. */
export type Known = {
  readonly name: string;
  /** Pairs with a gate, lower qubit first. */
  readonly pairs: ReadonlySet<string>;
  /** Of all times, with their differences. */
  readonly figures: TrueFigures;
  /** Of the files that it was read from. */
  readonly digest: string;
};

/** One snapshot, named by its day. */
export type Snapshot = {
  readonly day: string;
  readonly qubits: readonly QubitRow[];
  readonly pairs: readonly PairRow[];
  /** Pairs whose gate can be used. */
  readonly working: readonly PairRow[];
  readonly disabled: readonly PairRow[];
  /** Every record of each part, whatever it is of. */
  readonly figures: TrueFigures;
  /**
   * A record as the file has it: of a qubit `('5', 'prob_meas0_prep1')`, of a gate `('24-23', 'gate_length', 'cx')`,
   * in that direction, or with neither `('', 'zz_01')`.
   */
  readonly record: (part: string, name: string, gate?: string) => number;
};

/** A device; `now` is its newest snapshot. */
export type Device = Known & {
  readonly snapshots: readonly Snapshot[];
  readonly now: Snapshot;
  readonly at: (day: string) => Snapshot;
};

/** A snapshot by its day, with its properties and configuration below `data` of the shared folder. */
export type SnapshotFiles = readonly [day: string, properties: string, configuration: string];

/** Reads a device from its files, oldest first, below `folder`. */
export async function readDevice(
  folder: string,
  name: string,
  files: readonly SnapshotFiles[],
): Promise<Device> {
  const texts = await Promise.all(files.map(([, file]) => readFile(join(folder, file), 'utf8')));
  const snapshots = files.map(([day], index) => snapshotOf(day, texts[index] ?? ''));
  const at = (day: string): Snapshot => {
    const found = snapshots.find((snapshot) => snapshot.day === day);
    if (found === undefined) throw new Error(`${name} has no snapshot of ${day}`);
    return found;
  };
  return {
    name,
    snapshots,
    figures: withDifferences(snapshots.map(({ figures }) => figures)),
    pairs: new Set(at(files.at(-1)?.[0] ?? '').pairs.map(({ id }) => id)),
    now: at(files.at(-1)?.[0] ?? ''),
    at,
    digest: createHash('sha256').update(texts.join('')).digest('hex'),
  };
}

function snapshotOf(day: string, text: string): Snapshot {
  const { qubits, gates, general } = properties.parse(JSON.parse(text));
  const pairs = gates.flatMap(({ gate: name, qubits: ends, parameters }) => {
    const [a = 0, b = 0] = ends;
    const error = parameters.find((each) => each.name === 'gate_error');
    // An ECR gate has one direction, which may be the falling one; the others have both.
    const isFirst = name === 'ecr' || (['cz', 'cx'].includes(name) && a < b);
    if (!isFirst || error === undefined) return [];
    return {
      id: `${Math.min(a, b)}-${Math.max(a, b)}`,
      error: error.value,
      isDisabled: error.value >= 1,
      at: new Date(error.date),
    };
  });
  return {
    day,
    qubits: qubits.map((records, index) => qubitOf(String(index), records)),
    pairs,
    working: pairs.filter(({ isDisabled }) => !isDisabled),
    disabled: pairs.filter(({ isDisabled }) => isDisabled),
    figures: figuresOf(
      qubits,
      gates,
      general,
      pairs.map(({ id }) => id),
    ),
    record: (part, name, gate) => {
      const records =
        gate === undefined
          ? part === ''
            ? general
            : qubits[Number(part)]
          : gates.find((each) => each.gate === gate && each.qubits.join('-') === part)?.parameters;
      const found = records?.find((each) => each.name === name);
      if (found === undefined)
        throw new Error(`the snapshot of ${day} has no ${name} of ${gate ?? ''} ${part}`);
      return found.value;
    },
  };
}

function qubitOf(id: string, records: readonly IbmRecord[]): QubitRow {
  const find = (name: string) => records.find((each) => each.name === name);
  const need = (name: string) => {
    const found = find(name);
    if (found === undefined) throw new Error(`Q${id} has no ${name}`);
    return { value: found.value, at: new Date(found.date) };
  };
  const [t1, t2, readout] = [need('T1'), need('T2'), need('readout_error')];
  return {
    id,
    t1: t1.value,
    t2: t2.value,
    readout: readout.value,
    frequency: find('frequency')?.value ?? null,
    anharmonicity: find('anharmonicity')?.value ?? null,
    t1At: t1.at,
    t2At: t2.at,
    readoutAt: readout.at,
  };
}

function figuresOf(
  qubits: readonly (readonly IbmRecord[])[],
  gates: readonly z.infer<typeof gate>[],
  general: readonly IbmRecord[],
  pairs: readonly string[],
): TrueFigures {
  const ofPairs = gates.flatMap(({ qubits: ends, parameters }) =>
    parameters.map((each) => [ends.toSorted((a, b) => a - b).join('-'), each] as const),
  );
  // `zz_45` and `jq_54` are of 4-5; their names have no separator.
  const between = pairs.flatMap((id) => {
    const [a = '', b = ''] = id.split('-');
    return general
      .filter(({ name }) => [a + b, b + a].includes(name.split('_')[1] ?? ''))
      .map((each) => [id, each] as const);
  });
  const all = [
    ...qubits.flatMap((records, id) => records.map((each) => [String(id), each] as const)),
    ...ofPairs,
    ...between,
  ];
  const byPart = Map.groupBy(all, ([id]) => id);
  return new Map(
    [...byPart].map(([id, records]) => [
      id,
      records.map(([, { value, unit }]) => inBase(value, unit || 'fraction')),
    ]),
  );
}
