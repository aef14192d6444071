/**
 * The script of an analysis: statistics, outliers and correlations of a chip's current values, with their
 * uncertainty.
 */

import { readFileSync } from 'node:fs';

/** What the script is made for. */
export type ProgramParts = {
  /** Under which the chip summary is kept. */
  readonly key: string;
  readonly columns: readonly {
    readonly name: string;
    /** From stored to shown values. */
    readonly scale: number;
    readonly unit: string;
    /** As stored, by the chip summary, to check the script against; null where the script reads fewer qubits. */
    readonly median: number | null;
  }[];
  /** Only these qubits; empty for all. */
  readonly qids: readonly string[];
  readonly excluded: readonly string[];
};

/** The script, in the standard library alone, so that it runs on every engine. */
export function statisticsProgram({ key, columns, qids, excluded }: ProgramParts): string {
  const rows = columns.map(({ name, scale, unit, median }) => [name, scale, unit, median]);
  const parts: Readonly<Record<string, string>> = {
    ROWS: `data[${JSON.stringify(key)}]["qubits"]`,
    COLUMNS: JSON.stringify(rows).replaceAll(/\bnull\b/gu, 'None'),
    ONLY: JSON.stringify(qids),
    EXCLUDED: JSON.stringify(excluded),
  };
  return PROGRAM.replaceAll(/\b(?:ROWS|COLUMNS|ONLY|EXCLUDED)\b/gu, (name) => parts[name] ?? name);
}

const PROGRAM = readFileSync(new URL('chip_statistics.py', import.meta.url), 'utf8');
