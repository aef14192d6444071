/**
 * The small JSON shape of a control server:
 *
 *     {
 *       "chip": "demo-64", "at": "2026-05-20T01:00:00Z",
 *       "values": [
 *         { "qid": "7", "parameter": "t1", "value": 81.2, "unit": "us", "error": 2.4, "at": "2026-05-20T00:50:00Z" },
 *         { "coupling": "4-1", "parameter": "zx90_gate_fidelity", "value": 0.981, "unit": "", "at": "…" }
 *       ],
 *       "state": { "running": "CheckT1", "queue": 2, "fridgeTemperatureMk": 11.3 }
 *     }
 *
 * Times carry an offset; `error` and `state` may be missing. A value that cannot be read is left out by name and spoils
 * nothing else.
 */
import { z } from 'zod';
import type { LiveState, LiveValue } from '../../domain/live/live-reading.ts';
import { normaliseQid } from '../../domain/qid.ts';
import { canonicalUnit } from '../../domain/values/units.ts';

/** More than a chip of 1,000 qubits has. */
const MAX_VALUES = 50_000;

const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const name = z.string().regex(/^[\w.-]{1,100}$/);
const qid = z
  .union([z.string().max(40), z.number().int().min(0)])
  .transform((written) => normaliseQid(String(written)))
  .refine((text) => /^[\w-]{1,40}$/.test(text), 'is not a qubit or coupling');

/** The outside of an answer; its parts are read one by one. */
export const smallShape = z.object({
  chip: z.string().min(1).max(200),
  at: time,
  values: z.array(z.unknown()).max(MAX_VALUES),
  state: z.unknown().optional(),
});

const entry = z
  .object({
    qid: qid.optional(),
    coupling: qid.optional(),
    parameter: name,
    value: z.number(),
    unit: z.string().max(20).nullish(),
    error: z.number().nullish(),
    at: time,
  })
  .refine((it) => (it.qid === undefined) !== (it.coupling === undefined), 'needs either qid or coupling');

const state = z.object({
  running: z.string().max(200).nullish(),
  queue: z.number().int().min(0).nullish(),
  fridgeTemperatureMk: z.number().min(0).nullish(),
});

/** The values of a checked answer, and what could not be read of them. */
export function smallValues({ values }: z.infer<typeof smallShape>): {
  readonly values: readonly LiveValue[];
  readonly leftOut: readonly string[];
} {
  const leftOut: string[] = [];
  const read = values.flatMap((raw, index): LiveValue[] => {
    const parsed = entry.safeParse(raw);
    if (!parsed.success) {
      const { path, message } = parsed.error.issues[0] ?? { path: [], message: 'cannot be read' };
      leftOut.push(`${['values', index, ...path].join('.')}: ${message}`);
      return [];
    }
    const { parameter, value, unit, error, at, ...of } = parsed.data;
    return [
      {
        qid: of.qid ?? of.coupling ?? '',
        parameter,
        value,
        unit: canonicalUnit(unit ?? ''),
        error: Math.abs(error ?? 0) || null,
        at,
        unusable: null,
      },
    ];
  });
  return { values: read, leftOut };
}

/** What the server reports about itself; null where it is unreadable. */
export function smallState({ state: raw }: z.infer<typeof smallShape>): LiveState | null {
  const parsed = state.safeParse(raw);
  if (!parsed.success) return null;
  const { running = null, queue = null, fridgeTemperatureMk = null } = parsed.data;
  return { running, queue, fridgeTemperatureMk };
}
