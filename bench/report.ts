import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Row } from './bench.ts';
import { runText } from './page.ts';

/** What one bench gave. */
export type BenchResult = { readonly name: string; readonly rows: readonly Row[] };

/** Rows whose value is above their limit. */
export const missed = (results: readonly BenchResult[]): readonly Row[] =>
  results.flatMap(({ rows }) => rows.filter(({ value, limit }) => limit !== null && !(value <= limit)));

/** A table for people. */
export function tableOf({ name, rows }: BenchResult): string {
  const cells = rows.map(({ what, value, unit, limit }) => [
    what,
    cellOf(value, unit),
    limit === null ? '' : `at most ${digits(limit)}`,
    limit === null ? '' : value <= limit ? 'ok' : 'MISSED',
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(0, ...cells.map((line) => line[column]?.length ?? 0)));
  const lines = cells.map((line) =>
    line.map((cell, column) =>
      column === 1 ? cell.padStart(widths[1] ?? 0) : cell.padEnd(widths[column] ?? 0),
    ),
  );
  return [name, ...lines.map((line) => `  ${line.join('  ').trimEnd()}`), ''].join('\n');
}

function digits(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  return value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2);
}

/** Writes the results with what they depend on into `folder` and returns the file's name. */
export async function writeReport(
  folder: string,
  startedAt: Date,
  results: readonly BenchResult[],
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${startedAt.toISOString().replaceAll(':', '-')}.json`);
  const machine = {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    /** Mean number of processes that wanted to run, over 1, 5 and 15 minutes, at the end. */
    load: loadavg(),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
  };
  const report = { startedAt, secondsTaken: (Date.now() - startedAt.getTime()) / 1000, machine, results };
  await writeFile(file, `${JSON.stringify(report, null, 2)}\n`);
  return file;
}

/** The results of a whole run as a page. */
export function pageOf(startedAt: Date, results: readonly BenchResult[]): string {
  const limited = results.flatMap(({ rows }) => rows).filter(({ limit }) => limit !== null);
  const intro = [
    '# Results of the bench',
    '',
    runText('bench', startedAt),
    `${missed(results).length} of ${limited.length} limits are missed; [GOALS](GOALS.md) says why.`,
    '',
  ];
  const sections = results.flatMap(({ name, rows }) => [
    `## ${name}`,
    '',
    '| measure | value | at most | |',
    '| --- | --: | --: | --- |',
    ...rows.map(
      (row) => `| ${row.what} | ${cellOf(row.value, row.unit)} | ${limitOf(row)} | ${verdictOf(row)} |`,
    ),
    '',
  ]);
  return `${[...intro, ...sections].join('\n').trimEnd()}\n`;
}

const cellOf = (value: number, unit: string): string => `${digits(value)} ${unit}`.trimEnd();
const limitOf = ({ limit, unit }: Row): string => (limit === null ? '' : cellOf(limit, unit));
const verdictOf = ({ value, limit }: Row): string =>
  limit === null ? '' : value <= limit ? 'ok' : '**missed**';
