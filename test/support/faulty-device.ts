/** Devices with parts that are disabled, missing or in doubt, made from a real snapshot without such parts. */
import { readFileSync } from 'node:fs';
import { importIbmSnapshot } from '../../src/import/ibm-backend.ts';
import type { ChipDocuments } from '../../src/import/documents.ts';
import { joinIbmFiles, parseIbmFile } from '../../src/sources/ibm/ibm-json.ts';
import { sharedPath } from './shared-data.ts';

type IbmRecord = { name: string; value: number; unit: string; date: string };
type Gate = { gate: string; qubits: number[]; parameters: IbmRecord[] };
/** A `props_*.json` as far as tests change it. */
export type Properties = {
  backend_name: string;
  last_update_date: string;
  qubits: IbmRecord[][];
  gates: Gate[];
  general: IbmRecord[];
};
/** A `conf_*.json` likewise. */
export type Configuration = {
  backend_name: string;
  n_qubits: number;
  coupling_map: [number, number][];
};

/** What is wrong with a device. Pairs are written as `12-13` and mean both directions, where there are both. */
export type Faults = {
  /** Qubits and pairs that the vendor reports as not operational. */
  readonly notOperational?: readonly string[];
  /** Those that it reports as operational. */
  readonly operational?: readonly string[];
  /** Qubits and pairs all of whose gates have an error of 1. */
  readonly dead?: readonly string[];
  /** Single gates with an error of 1, as `x 21`. */
  readonly deadGates?: readonly string[];
  /** Qubits and pairs without any value. */
  readonly empty?: readonly string[];
  /** Records that are left out, as `T2 8`. */
  readonly without?: readonly string[];
  /** Values in the unit of the file, as `['T1', '20', 865535.9]`. */
  readonly values?: readonly (readonly [record: string, qid: string, value: number])[];
  /** No pair is coupled. */
  readonly withoutCouplings?: true;
};

/** The files of a device, with `faults`, as of `at`: all of its times move alike. */
export function faultyFiles(
  device: string,
  { faults, name, at }: { readonly faults: Faults; readonly name: string; readonly at: Date },
): { readonly properties: Properties; readonly configuration: Configuration } {
  const read = (kind: string): unknown =>
    JSON.parse(readFileSync(sharedPath(`data/ibm-backends/${kind}_${device}.json`), 'utf8'));
  const [properties, configuration] = [read('props') as Properties, read('conf') as Configuration];
  properties.backend_name = configuration.backend_name = `lab_${name}`;
  moveTo(at, properties);
  breakParts(properties, faults);
  if (faults.withoutCouplings) {
    configuration.coupling_map = [];
    properties.gates = properties.gates.filter(({ qubits }) => qubits.length === 1);
    properties.general = [];
  }
  return { properties, configuration };
}

function moveTo(at: Date, properties: Properties): void {
  const by = at.getTime() - new Date(properties.last_update_date).getTime();
  const moved = (date: string): string => new Date(new Date(date).getTime() + by).toISOString();
  const { qubits, gates, general } = properties;
  for (const record of [...qubits.flat(), ...gates.flatMap(({ parameters }) => parameters), ...general]) {
    record.date = moved(record.date);
  }
  properties.last_update_date = at.toISOString();
}

function breakParts(properties: Properties, faults: Faults): void {
  const date = properties.last_update_date;
  const {
    notOperational = [],
    operational = [],
    dead = [],
    deadGates = [],
    empty = [],
    without = [],
    values = [],
  } = faults;
  const gatesOf = (qid: string): readonly Gate[] =>
    properties.gates.filter(({ qubits }) =>
      [qubits, qubits.toReversed()].some((each) => each.join('-') === qid),
    );
  const recordsOf = (qid: string): IbmRecord[] => properties.qubits[Number(qid)] ?? [];
  const kill = ({ parameters }: Gate): void => {
    for (const record of parameters) if (record.name === 'gate_error') record.value = 1;
  };
  const states = [notOperational, operational].flatMap((qids, value) => qids.map((qid) => ({ qid, value })));
  for (const { qid, value } of states) {
    const record = { name: 'operational', value, unit: '', date };
    if (!qid.includes('-')) recordsOf(qid).push(record);
    else for (const { parameters } of gatesOf(qid)) parameters.push({ ...record });
  }
  for (const qid of dead)
    gatesOf(qid)
      .filter(({ gate }) => gate !== 'rz')
      .forEach(kill);
  for (const written of deadGates) {
    const [name, qid = ''] = written.split(' ');
    gatesOf(qid)
      .filter(({ gate }) => gate === name)
      .forEach(kill);
  }
  for (const qid of empty) {
    recordsOf(qid).length = 0;
    for (const { parameters } of gatesOf(qid)) parameters.length = 0;
  }
  for (const written of without) {
    const [name, qid = ''] = written.split(' ');
    for (const list of [recordsOf(qid), ...gatesOf(qid).map(({ parameters }) => parameters)]) {
      list.splice(0, list.length, ...list.filter((record) => record.name !== name));
    }
  }
  for (const [name, qid, value] of values) {
    for (const list of [recordsOf(qid), ...gatesOf(qid).map(({ parameters }) => parameters)]) {
      for (const record of list) if (record.name === name) record.value = value;
    }
  }
}

/** The same device as documents of a project. */
export function faultyChip(
  device: string,
  given: { readonly faults: Faults; readonly name: string; readonly at: Date },
): ChipDocuments {
  const { properties, configuration } = faultyFiles(device, given);
  const [props, conf] = [properties, configuration].map((content, index) =>
    parseIbmFile({ name: `file ${index}`, text: JSON.stringify(content) }),
  );
  if (props?.kind !== 'properties' || conf?.kind !== 'configuration')
    throw new Error('the files are of other kinds');
  return importIbmSnapshot(joinIbmFiles(props, conf, given.at), 'demo', given.name, given.at).documents;
}

/** What is wrong with {@link faultyChip} `'auckland'` in tests that need some of everything. */
export const FAULTS = {
  notOperational: ['5', '18-21'],
  dead: ['9', '17', '12-13'],
  deadGates: ['x 21'],
  empty: ['3', '1-4'],
  without: ['T2 8'],
  values: [
    ['T1', '20', 865_535.9],
    ['T1', '14', 50],
    ['T2', '14', 180],
    ['readout_error', '22', 0.6],
  ],
} as const satisfies Faults;
