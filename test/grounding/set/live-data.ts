/** What the live calls of a chip say, in display scale. */
import { z } from 'zod';
import type { ToolEvidence } from '../../../src/domain/grounding/read-facts.ts';

/** One value with its error and time. */
export type LiveMeasured = { readonly value: number; readonly error: number; readonly at: Date };

/** A stored value beside the live one. `sigma` is the difference in standard deviations. */
export type Compared = {
  readonly stored: number;
  readonly storedAt: Date;
  readonly live: LiveMeasured;
  readonly difference: number;
  readonly sigma: number;
  readonly recordId: string;
};

/** The results of `get_live_parameters` and `verify_against_live`, by qubit and parameter. */
export type LiveData = {
  live(qid: string, parameter: string): LiveMeasured;
  compared(qid: string, parameter: string): Compared;
  /** Values that were compared. */
  readonly comparisons: number;
};

const liveResult = z.object({
  data: z.object({
    values: z.array(
      z.object({
        qid: z.string(),
        parameter: z.string(),
        value: z.number(),
        error: z.number(),
        scale: z.number(),
        at: z.coerce.date(),
      }),
    ),
  }),
});
const comparedResult = z.object({
  data: z.object({
    rows: z.array(
      z.object({
        qid: z.string(),
        parameter: z.string(),
        stored: z.object({ value: z.number(), at: z.coerce.date() }),
        live: z.object({ value: z.number(), error: z.number(), at: z.coerce.date() }),
        difference: z.number(),
        sigma: z.number(),
        task_id: z.string(),
      }),
    ),
  }),
});

/** Reads both results. */
export function liveDataOf(live: ToolEvidence, verified: ToolEvidence): LiveData {
  const { values } = liveResult.parse(live.result).data;
  const { rows } = comparedResult.parse(verified.result).data;
  return {
    live(qid, parameter) {
      const { value, error, scale, at } = found(values, qid, parameter);
      return { value: value * scale, error: error * scale, at };
    },
    compared(qid, parameter) {
      const { stored, task_id: recordId, ...row } = found(rows, qid, parameter);
      return { ...row, recordId, stored: stored.value, storedAt: stored.at };
    },
    comparisons: rows.length,
  };
}

function found<Row extends { readonly qid: string; readonly parameter: string }>(
  rows: readonly Row[],
  qid: string,
  parameter: string,
): Row {
  const row = rows.find((each) => each.qid === qid && each.parameter === parameter);
  if (row === undefined) throw new Error(`no live ${parameter} of ${qid}`);
  return row;
}
