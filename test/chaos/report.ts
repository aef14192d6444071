/** The table of a run. */
import type { Entry, Ledger } from './ledger.ts';

/** How often a fault happened, and how long after it everybody was served again, in milliseconds. */
export type FaultResult = { readonly name: string; readonly recoveries: number[]; skipped: string | null };

/** A Markdown table with a row for each fault, and one for all. */
export function tableOf(results: readonly FaultResult[], { entries, wrong }: Ledger): string {
  const row = (
    name: string,
    times: number | null,
    of: readonly Entry[],
    recoveries: readonly number[],
    isAll: boolean,
  ) => {
    const taken = of.filter(({ place }) => place !== null);
    const bad = (kind: string) =>
      wrong.filter((each) => each.kind === kind && (isAll || each.fault === name)).length;
    const completed = taken.filter(({ status }) => status === 'COMPLETED').length;
    return `| ${[
      name,
      times ?? '',
      taken.length,
      completed,
      taken.length - completed,
      bad('lost'),
      bad('doubled'),
      bad('stuck'),
      bad('dishonest'),
      seconds(median(recoveries)),
      seconds(recoveries.length === 0 ? null : Math.max(...recoveries)),
    ].join(' | ')} |`;
  };
  const heading = [
    'fault',
    'times',
    'acknowledged',
    'completed',
    'ended with a reason',
    'lost',
    'doubled',
    'stuck',
    'dishonest',
    'recovery p50 (s)',
    'max (s)',
  ];
  return [
    `| ${heading.join(' | ')} |`,
    `| ${heading.map((_, index) => (index === 0 ? '---' : '--:')).join(' | ')} |`,
    row(
      'none',
      null,
      entries.filter(({ fault }) => fault === 'none'),
      [],
      false,
    ),
    ...results.map(({ name, recoveries, skipped }) =>
      skipped === null
        ? row(
            name,
            recoveries.length,
            entries.filter(({ fault }) => fault === name),
            recoveries,
            false,
          )
        : `| ${name} | skipped: ${skipped} |${' |'.repeat(heading.length - 2)}`,
    ),
    row(
      'all',
      results.reduce((sum, { recoveries }) => sum + recoveries.length, 0),
      entries,
      results.flatMap(({ recoveries }) => recoveries),
      true,
    ),
  ].join('\n');
}

const seconds = (ms: number | null): string => (ms === null ? '' : (ms / 1000).toFixed(1));

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}
