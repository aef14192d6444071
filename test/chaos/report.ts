/** The table of a run. */
import { CONTROL } from './faults.ts';
import type { Entry, Ledger, Wrong } from './ledger.ts';

/**
 * How long after a fault everybody was served again, people and jobs, in milliseconds; null for not in time. `turns`:
 * until those that the server ran had ended; absent where it ran none.
 */
export type Recovery = {
  readonly chats: number | null;
  readonly jobs: number | null;
  readonly turns?: number | null;
};

/** What came of a fault, for each time that it happened. */
export type FaultResult = { readonly name: string; readonly recoveries: Recovery[]; skipped: string | null };

const WRONG: Readonly<Record<Wrong['kind'], string>> = {
  lost: 'lost',
  doubled: 'doubled',
  stuck: 'stuck',
  dishonest: 'dishonest',
  view: 'views that differ',
};

const TIMES = [
  'people again: p50 (s)',
  'max',
  'jobs again: p50 (s)',
  'max',
  'its turns ended: p50 (s)',
  'max',
];

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
  const row = (
    name: string,
    of: readonly Entry[],
    bad: readonly Wrong[],
    recoveries: readonly Recovery[],
  ) => {
    const taken = of.filter(({ place }) => place !== null);
    const completed = taken.filter(({ status }) => status === 'COMPLETED').length;
    const counts = [recoveries.length, taken.length, completed, taken.length - completed];
    const kinds = Object.keys(WRONG).map((kind) => bad.filter((each) => each.kind === kind).length);
    const times = (['chats', 'jobs', 'turns'] as const).flatMap((who) =>
      medianAndMost(recoveries.flatMap(({ [who]: time }) => (time === undefined ? [] : [time]))),
    );
    return line([name, ...counts, ...kinds, ...times]);
  };
  const faults = results.filter(({ name, skipped }) => name !== CONTROL.name && skipped === null);
  return [
    line([...heading, ...TIMES]),
    line(['---', ...[...heading.slice(1), ...TIMES].map(() => '--:')]),
    ...results.map(({ name, recoveries, skipped }) =>
      skipped === null
        ? row(name, ofFault(entries, name), ofFault(wrong, name), recoveries)
        : line([name, `skipped: ${skipped}`, ...[...heading.slice(2), ...TIMES].map(() => '')]),
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

/** In seconds with a tenth; in words where it did not come. */
export const secondsOf = (ms: number | null): string => (ms === null ? 'never' : (ms / 1000).toFixed(1));

function medianAndMost(times: readonly (number | null)[]): readonly string[] {
  const sorted = times.toSorted((a, b) => (a ?? Infinity) - (b ?? Infinity));
  if (sorted.length === 0) return ['', ''];
  return [sorted[Math.floor(sorted.length / 2)] ?? null, sorted.at(-1) ?? null].map(secondsOf);
}
