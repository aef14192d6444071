/** A live source that has measured everything again: some of it as before, some of it far off. */
import { z } from 'zod';
import type { TurnLive } from '../../../src/agent/live/turn-live.ts';
import type { LiveValue } from '../../../src/domain/live/live-reading.ts';
import { ASKED_AT } from './chip-data.ts';

/** What values of a qubit have become. */
const FACTORS: Readonly<Record<string, number>> = { '12': 1.004, '21': 0.78, '45': 1.13 };
/** The qubits that {@link remeasured} wants results of. */
export const REMEASURED = Object.keys(FACTORS);
const LIVE_AT = new Date(ASKED_AT.getTime() - 7 * 60_000);
/** One standard deviation, as a part of the value. */
const ERROR = 0.012;

const qubitResult = z.object({
  data: z.object({
    qid: z.string(),
    parameters: z.array(z.object({ name: z.string(), value: z.number().nullable(), unit: z.string() })),
  }),
});

/**
 * Live values after results of `get_qubit_params` about {@link REMEASURED}. Fidelities move by what is missing to
 * one.
 */
export function remeasured(results: readonly unknown[]): TurnLive {
  const values = results.flatMap((result) => {
    const { qid, parameters } = qubitResult.parse(result).data;
    return parameters.flatMap(({ name, value, unit }): readonly LiveValue[] =>
      value === null ? [] : [liveValue(qid, name, value, unit)],
    );
  });
  return {
    isSetUp: true,
    isAskedFor: true,
    read: async ({ chipId }) => ({
      type: 'values',
      reading: { chipId, at: LIVE_AT, readAt: ASKED_AT, values, leftOut: [], state: null },
      repeated: null,
    }),
    reportUsed: () => {},
    quota: async () => null,
  };
}

function liveValue(qid: string, parameter: string, stored: number, unit: string): LiveValue {
  const factor = FACTORS[qid] ?? 1;
  const isFidelity = parameter.endsWith('_fidelity');
  const value = isFidelity ? 1 - (1 - stored) / factor : stored * factor;
  const error = Math.abs(isFidelity ? 1 - value : value) * ERROR;
  return { qid, parameter, value, unit, error, at: LIVE_AT, unusable: null };
}
