import type { Verification } from '../live/verification.ts';
import type { TableSpec } from '../visuals.ts';
import { numberColumn, textColumn, timeColumn } from './table.ts';

/** Stored beside live values, a row each, in display scale; units differ, so they stand in a column. */
export function verificationTable(title: string, rows: readonly Verification[]): TableSpec {
  return {
    type: 'table',
    title,
    columns: [
      textColumn('label', 'Qubit or coupling'),
      textColumn('parameter', 'Parameter'),
      textColumn('unit', 'Unit'),
      numberColumn('stored', 'Stored', ''),
      numberColumn('storedError', 'Stored error', ''),
      timeColumn('storedAt', 'Stored as of (UTC)'),
      numberColumn('live', 'Live', ''),
      numberColumn('liveError', 'Live error', ''),
      timeColumn('liveAt', 'Live as of (UTC)'),
      numberColumn('difference', 'Live − stored', ''),
      numberColumn('sigma', 'Difference in standard deviations', ''),
      textColumn('verdict', 'Verdict'),
      textColumn('reason', 'Why'),
    ],
    rows: rows.map(({ label, title: parameter, displayUnit: unit, ...row }) => ({
      label,
      parameter,
      unit,
      stored: row.stored?.value ?? null,
      storedError: row.stored?.error ?? null,
      storedAt: row.stored?.at?.toISOString() ?? null,
      live: row.live?.value ?? null,
      liveError: row.live?.error ?? null,
      liveAt: row.live?.at?.toISOString() ?? null,
      difference: row.difference,
      sigma: row.sigma === null ? null : Number(row.sigma.toFixed(2)),
      verdict: row.verdict,
      reason: row.reason,
    })),
  };
}
