/**
 * From the JSON of a live source to a reading of one chip: distinguishes the two shapes and rejects other
 * chips.
 */
import { z } from 'zod';
import type { LiveReading, LiveValue } from '../../domain/live/live-reading.ts';
import { isOff, isSwitch, switchesOf } from '../../domain/values/switches.ts';
import { canonicalUnit } from '../../domain/values/units.ts';
import { InvalidInputError } from '../../base/errors.ts';
import { chipIdOf, checkIbmProperties, snapshotTime, type IbmProperties } from '../ibm/ibm-json.ts';
import { valuesOf } from '../ibm/ibm-values.ts';
import { smallShape, smallState, smallValues } from './small-shape.ts';

/** More than a device of 1,000 qubits has. */
const MAX_RECORDS = 50_000;
/** Most left-out entries of an answer that are reported. */
const MAX_LEFT_OUT = 20;
/** Longest text of one fault. */
const MAX_FAULT_CHARACTERS = 300;

/** A reading, or why the answer is not one; `message` completes "its answer …". */
export type ReadAnswer =
  | { readonly type: 'reading'; readonly reading: LiveReading }
  | { readonly type: 'wrong'; readonly message: string };

/** Reads an answer about `chipId`. Pure; the answer may be anything. */
export function readAnswer(answer: unknown, chipId: string, readAt: Date): ReadAnswer {
  return isBackendProperties(answer) ? readIbm(answer, chipId, readAt) : readSmall(answer, chipId, readAt);
}

const isBackendProperties = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'backend_name' in answer;

function readSmall(answer: unknown, chipId: string, readAt: Date): ReadAnswer {
  const checked = smallShape.safeParse(answer);
  if (!checked.success) {
    return wrong(`has neither of the known shapes: ${z.prettifyError(checked.error)}`);
  }
  const { chip, at } = checked.data;
  if (chip !== chipId) return otherChip(chip, chipId);
  const { values, leftOut } = smallValues(checked.data);
  return reading({ chipId, at, readAt, values, leftOut, state: smallState(checked.data) });
}

/** A device's chip id is what the importer gives it. */
function readIbm(answer: unknown, chipId: string, readAt: Date): ReadAnswer {
  let properties: IbmProperties;
  try {
    properties = checkIbmProperties(answer, 'backend properties', readAt);
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return wrong(`has a fault: ${error.message}`);
  }
  const { backend_name: device, qubits, gates } = properties;
  if (device !== chipId && chipIdOf(device) !== chipId) return otherChip(device, chipId);
  const lists = [...qubits, ...gates.map(({ parameters }) => parameters), properties.general];
  const records = lists.reduce((sum, list) => sum + list.length, 0);
  if (records > MAX_RECORDS) return wrong(`has ${records} records, and ${MAX_RECORDS} are read`);
  const { values, leftOut } = valuesOf(properties, readAt);
  const off = new Set(
    values.flatMap(({ qid, parameter: name, value }) => (isOff({ name, value }) ? [`${qid} ${name}`] : [])),
  );
  return reading({
    chipId,
    at: snapshotTime(properties),
    readAt,
    values: values.flatMap(({ qid, parameter, value, unit, measuredAt, unusable }) =>
      isSwitch(parameter)
        ? []
        : [
            {
              qid,
              parameter,
              value,
              unit: canonicalUnit(unit),
              error: null,
              at: measuredAt,
              unusable: switchesOf(parameter).some((name) => off.has(`${qid} ${name}`))
                ? 'it is reported as not operational'
                : unusable,
            },
          ],
    ),
    leftOut: leftOut.flatMap(({ record, where, reason, isFault }) =>
      isFault ? [`${record} of ${where}: ${reason}`] : [],
    ),
    state: null,
  });
}

const otherChip = (given: string, chipId: string): ReadAnswer => wrong(`is about ${given}, not ${chipId}`);

const wrong = (fault: string): ReadAnswer => ({
  type: 'wrong',
  message: fault.slice(0, MAX_FAULT_CHARACTERS),
});

/** Of values of the same parameter the newest stays. */
function reading(found: LiveReading): ReadAnswer {
  const newest = new Map<string, LiveValue>();
  for (const value of found.values) {
    const key = JSON.stringify([value.qid, value.parameter]);
    const held = newest.get(key);
    if (held === undefined || value.at > held.at) newest.set(key, value);
  }
  const leftOut = found.leftOut.slice(0, MAX_LEFT_OUT).map((fault) => fault.slice(0, MAX_FAULT_CHARACTERS));
  return { type: 'reading', reading: { ...found, values: [...newest.values()], leftOut } };
}
