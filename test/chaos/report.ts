/** The table of a run. */
import { CONTROL } from './faults.ts';
import type { Entry, Ledger, Wrong } from './ledger.ts';

/** How often a fault happened, and how long after it everybody was served again, in milliseconds. */
export type FaultResult = { readonly name: string; readonly recoveries: number[]; skipped: string | null };

const WRONG: Readonly<Record<Wrong['kind'], string>> = {
  lost: 'lost',
  doubled: 'doubled',
  stuck: 'stuck',
  dishonest: 'dishonest',
  view: 'views that differ',
};

/** A Markdown table with a row for each fault, and one for all. What has no fault counts in the last one only. */
export function tableOf(results: readonly FaultResult[], { entries, wrong }: Ledger): string {
  const heading = [
    'fault',
    'times',
    'acknowledged',
    'completed',
    'ended with a reason',
    ...Object.values(WRONG),
  ];
  const row = (name: string, of: readonly Entry[], bad: readonly Wrong[], recoveries: readonly number[]) => {
    const taken = of.filter(({ place }) => place !== null);
    const completed = taken.filter(({ status }) => status === 'COMPLETED').length;
    const counts = [recoveries.length, taken.length, completed, taken.length - completed];
    const kinds = Object.keys(WRONG).map((kind) => bad.filter((each) => each.kind === kind).length);
    return line([name, ...counts, ...kinds, seconds(median(recoveries)), seconds(Math.max(...recoveries))]);
  };
  const faults = results.filter(({ name, skipped }) => name !== CONTROL.name && skipped === null);
  return [
    line([...heading, 'recovery p50 (s)', 'max (s)']),
    line(['---', ...heading.map(() => '--:'), '--:']),
    ...results.map(({ name, recoveries, skipped }) =>
      skipped === null
        ? row(name, ofFault(entries, name), ofFault(wrong, name), recoveries)
        : line([name, `skipped: ${skipped}`, ...heading.map(() => '')]),
    ),
    row(
      'all',
      entries,
      wrong,
      faults.flatMap(({ recoveries }) => recoveries),
    ),
  ].join('\n');
}

const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

const ofFault = <Of extends { readonly fault: string }>(all: readonly Of[], name: string): readonly Of[] =>
  all.filter(({ fault }) => fault === name);

const seconds = (ms: number | null): string =>
  ms === null || !Number.isFinite(ms) ? '' : (ms / 1000).toFixed(1);

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}
