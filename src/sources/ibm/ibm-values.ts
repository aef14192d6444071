/**
 * From the records of a snapshot to measured values under our names: units converted, each with its own date, and
 * judged by physics. Every record ends in exactly one place: a value, a layer fidelity, or what was left out and why.
 */
import type { IbmProperties, IbmRecord } from './ibm-json.ts';
import {
  fault,
  layerOf,
  measured,
  switchIn,
  type Found,
  type IbmValue,
  type LayerFidelity,
  type LeftOut,
  type Place,
} from './ibm-record.ts';
import { gateName, gateRule, isGateName, PAIR_RULES, QUBIT_RULES, type Rule } from './ibm-rules.ts';

export type SnapshotValues = {
  readonly values: readonly IbmValue[];
  readonly layers: readonly LayerFidelity[];
  readonly leftOut: readonly LeftOut[];
};

/** Takes everything out of a snapshot that has a place in QPilot, as far as it can be true at `now`. Pure. */
export function valuesOf(properties: IbmProperties, now: Date): SnapshotValues {
  const values: IbmValue[] = [];
  const layers: LayerFidelity[] = [];
  const leftOut: LeftOut[] = [];
  const take = (found: Found | LayerFidelity, record: string, where: string) => {
    if ('reason' in found) leftOut.push({ record, where, ...found });
    else if ('parameter' in found) values.push(found);
    else layers.push(found);
  };
  const read = (record: IbmRecord, rule: Rule | null | undefined, place: Place): Found =>
    rule ? measured(record, rule, place, { properties, now }) : fault('no parameter for this record');
  const readPart = (record: IbmRecord, rule: Rule | null | undefined, place: Place): Found =>
    record.name === 'operational' && isGateName(gateName(place.gate ?? 'any'))
      ? switchIn(record, place, { properties, now })
      : read(record, rule, place);

  properties.qubits.forEach((records, index) => {
    const qid = String(index);
    for (const record of records) {
      const { name } = record;
      take(readPart(record, QUBIT_RULES.get(name), { qid, kind: 'qubit', label: name }), name, qid);
    }
  });
  for (const { gate, qubits, parameters } of properties.gates) {
    const wrong = wrongQubits(qubits, properties.qubits.length);
    const isVirtual = parameters.some(({ name, value }) => name === 'gate_length' && value === 0);
    const [qid, kind] = [qubits.join('-'), qubits.length === 1 ? 'qubit' : 'coupling'] as const;
    for (const record of parameters) {
      const label = `${gate} ${record.name}`;
      const rule = gateRule(gate, record.name, isVirtual);
      take(wrong ? fault(wrong) : readPart(record, rule, { qid, kind, label, gate }), label, qid);
    }
  }
  const couplings = couplingIdsOf(properties);
  for (const record of properties.general) {
    const [kind = '', rest = ''] = record.name.split('_');
    const rule = PAIR_RULES.get(kind);
    const qid = rule ? pairNamed(rest, couplings) : null;
    take(
      kind === 'lf'
        ? layerOf(record, { properties, now })
        : rule && qid === null
          ? fault('no single pair of the chip has this name')
          : read(record, rule, { qid: qid ?? '', kind: 'coupling', label: kind }),
      kind,
      record.name,
    );
  }
  return { ...withDoubts(values, leftOut), layers };
}

/** Why a gate on these qubits is none of a chip of `size`; null if it is. */
function wrongQubits(qubits: readonly number[], size: number): string | null {
  const missing = qubits.find((qubit) => qubit >= size);
  if (missing !== undefined) return `names qubit ${missing}, and the chip has ${size}`;
  if (new Set(qubits).size < qubits.length) return 'names one qubit twice';
  return qubits.length === 1 || qubits.length === 2 ? null : `a gate on ${qubits.length} qubits`;
}

/** Directed pairs that two-qubit gates are reported for. */
export function couplingIdsOf({ gates, qubits: { length: size } }: IbmProperties): ReadonlySet<string> {
  const pairs = gates.filter(({ qubits }) => qubits.length === 2 && wrongQubits(qubits, size) === null);
  return new Set(pairs.map(({ qubits }) => qubits.join('-')));
}

/**
 * The coupling of `1213`, which may be 1 and 213, 12 and 13, or 121 and 3: the one that exists, in its direction, else
 * in the other. Null for none and for several.
 */
function pairNamed(digits: string, couplings: ReadonlySet<string>): string | null {
  const splits = Array.from({ length: Math.max(0, digits.length - 1) }, (_, index) => [
    digits.slice(0, index + 1),
    digits.slice(index + 1),
  ]);
  const found = splits.flatMap(([a, b]) =>
    [`${a}-${b}`, `${b}-${a}`].filter((id) => couplings.has(id)).slice(0, 1),
  );
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** What only shows beside other values: one that is repeated, several for one time, T2 above 2·T1. */
function withDoubts(
  values: readonly IbmValue[],
  leftOut: readonly LeftOut[],
): Pick<SnapshotValues, 'values' | 'leftOut'> {
  const t1 = new Map(
    values.flatMap(({ parameter, unusable, qid, value }) =>
      parameter === 't1' && unusable === null ? [[qid, value] as const] : [],
    ),
  );
  const repeated: LeftOut[] = [];
  const kept: IbmValue[] = [];
  for (const same of Map.groupBy(values, momentOf).values()) {
    const different = [...new Map(same.map((value) => [value.origin.value, value])).values()];
    for (const value of same) {
      if (!different.includes(value)) {
        repeated.push({ record: value.label, where: value.qid, reason: 'repeated', isFault: false });
      }
    }
    const several = different.length > 1 ? 'the file gives several values for this time' : null;
    kept.push(
      ...different.map((value) => ({ ...value, doubt: value.doubt ?? longT2(value, t1) ?? several })),
    );
  }
  return { values: kept, leftOut: [...leftOut, ...repeated] };
}

const momentOf = ({ qid, parameter, measuredAt, origin }: IbmValue): string =>
  JSON.stringify([qid, parameter, origin.gate, measuredAt]);

/** Coherence cannot outlive twice the relaxation: T2 ≤ 2·T1. */
function longT2(
  { parameter, unusable, qid, value }: IbmValue,
  t1: ReadonlyMap<string, number>,
): string | null {
  const relaxation = t1.get(qid);
  if (parameter !== 't2_echo' || unusable !== null || relaxation === undefined) return null;
  return value > 2 * relaxation
    ? `T2 of ${value.toFixed(1)} \u03bcs is above twice the T1 of ${relaxation.toFixed(1)} \u03bcs`
    : null;
}
