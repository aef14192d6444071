/** What is compared; all of it is in the address, so that a comparison can be sent. */
import type { MetricOfCatalogueFragment } from '../../gql/graphql.ts';

/** A chip at a time: so many hours ago, at the end of a day in the reader's zone, or (null) now. */
export type Side = { readonly chipId: string; readonly time: number | string | null };

export type CompareView = {
  readonly a: Side;
  readonly b: Side;
  /** Key of the metric; null for the first that both sides have. */
  readonly metric: string | null;
  readonly scope: MetricOfCatalogueFragment['scope'];
  /** Only these qubits; empty for all. */
  readonly qubits: readonly string[];
};

const WEEK_HOURS = 168;

/** `demo-64`, `demo-64@168h`, `demo-64@2026-05-20`; null for anything else. */
export function readSide(text: string | null): Side | null {
  const [, chipId = '', time = ''] = /^([^@]+)(?:@(.+))?$/u.exec(text ?? '') ?? [];
  if (chipId === '') return null;
  if (/^\d{4}-\d{2}-\d{2}$/u.test(time)) return { chipId, time };
  return { chipId, time: /^\d{1,5}h$/u.test(time) ? Number.parseInt(time, 10) : null };
}

const writeSide = ({ chipId, time }: Side): string =>
  time === null ? chipId : `${chipId}@${typeof time === 'number' ? `${time}h` : time}`;

/** Reads a comparison; without sides it is of `chipId` a week ago with now. */
export function readCompareView(query: URLSearchParams, chipId: string): CompareView {
  const b = readSide(query.get('b')) ?? { chipId, time: null };
  return {
    b,
    a: readSide(query.get('a')) ?? { chipId: b.chipId, time: WEEK_HOURS },
    metric: query.get('metric'),
    scope: query.get('of') === 'couplings' ? 'COUPLING' : 'QUBIT',
    qubits: [...new Set((query.get('qubits') ?? '').split(',').filter((qid) => /^\d+$/u.test(qid)))],
  };
}

export const writeCompareView = ({ a, b, metric, scope, qubits }: CompareView): URLSearchParams =>
  new URLSearchParams({
    a: writeSide(a),
    b: writeSide(b),
    ...(metric !== null && { metric }),
    ...(scope === 'COUPLING' && { of: 'couplings' }),
    ...(qubits.length > 0 && { qubits: qubits.join(',') }),
  });

const HOUR_MS = 3_600_000;

/** The point in time of a side, in ISO; never in the future. */
export function timeOfSide({ time }: Side, nowMs: number): string {
  const ms =
    time === null
      ? nowMs
      : typeof time === 'number'
        ? nowMs - time * HOUR_MS
        : new Date(`${time}T23:59:59`).getTime();
  return new Date(Math.min(ms, nowMs)).toISOString();
}
