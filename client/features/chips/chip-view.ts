/** What a chip page shows; all of it is in the address, so that a view can be shared. */
import { readTimes, writeTimes, type Times } from '../../components/time-range/time-range.ts';
import type { MetricOfCatalogueFragment, MetricSelection } from '../../gql/graphql.ts';

/** The ways of making one value of several. */
export const SELECTIONS = ['LATEST', 'BEST', 'AVERAGE'] as const satisfies readonly MetricSelection[];

/** Windows of time to choose from, in hours; null: of all time. */
export const WINDOWS_HOURS = [null, 24, 168, 720] as const;

/** Most qubits in a trend: more lines could not be distinguished. */
export const MAX_PICKED = 8;

/** What a map is compared with: a time (hours ago, or a day in the reader's zone), or another chip; null for nothing. */
export type Against =
  | { readonly kind: 'TIME'; readonly time: number | string }
  | { readonly kind: 'CHIP'; readonly chipId: string }
  | null;

/** The view of the chip page. */
export type ChipView = {
  /** Key of the metric; null for the first that the chip has. */
  readonly metric: string | null;
  readonly selection: MetricSelection;
  readonly windowHours: number | null;
  /** Qubits whose trend is drawn, in the order in which they were picked. */
  readonly picked: readonly string[];
  /** Key of the metric that colours couplings; null for the first that the chip has. */
  readonly couplings: string | null;
  /** The map is coloured by the state of its values. */
  readonly byState: boolean;
  readonly against: Against;
  /** Times of trends. */
  readonly times: Times;
};

/** Reads a view from an address; what cannot be understood is as if it were not there. */
export function readView(query: URLSearchParams): ChipView {
  const hours = Number(query.get('hours'));
  return {
    metric: query.get('metric'),
    selection: SELECTIONS.find((known) => known === query.get('take')) ?? 'LATEST',
    windowHours: WINDOWS_HOURS.find((known) => known === hours) ?? null,
    picked: [...new Set((query.get('qubits') ?? '').split(',').filter((qid) => /^\d+$/.test(qid)))].slice(
      0,
      MAX_PICKED,
    ),
    couplings: query.get('couplings'),
    byState: query.get('color') === 'state',
    against: readAgainst(query.get('chip'), query.get('since')),
    times: readTimes(query.get('time')),
  };
}

/** From the parts of an address: a chip, or hours (`24h`) or a day. */
export function readAgainst(chipId: string | null, since: string | null): Against {
  if (chipId !== null) return { kind: 'CHIP', chipId };
  if (since === null) return null;
  if (/^\d{4}-\d{2}-\d{2}$/.test(since)) return { kind: 'TIME', time: since };
  return /^\d{1,5}h$/.test(since) ? { kind: 'TIME', time: Number.parseInt(since, 10) } : null;
}

/** The part of an address for what a map is compared with; null for nothing, and for a chip. */
export const writeSince = (against: Against): string | null =>
  against?.kind === 'TIME' ? (typeof against.time === 'number' ? `${against.time}h` : against.time) : null;

const PARTS = ['metric', 'take', 'hours', 'qubits', 'couplings', 'color', 'time', 'chip', 'since'];

/** The view as the query of an address, beside what `others` has that is none of it; defaults are left out. */
export function writeView(view: ChipView, others = new URLSearchParams()): URLSearchParams {
  const kept = [...others].filter(([part]) => !PARTS.includes(part));
  return new URLSearchParams([...partsOf(view), ...kept]);
}

function partsOf({
  metric,
  selection,
  windowHours,
  picked,
  couplings,
  byState,
  against,
  times,
}: ChipView): URLSearchParams {
  const time = writeTimes(times);
  const since = writeSince(against);
  return new URLSearchParams({
    ...(metric !== null && { metric }),
    ...(selection !== 'LATEST' && { take: selection }),
    ...(windowHours !== null && { hours: String(windowHours) }),
    ...(picked.length > 0 && { qubits: picked.join(',') }),
    ...(couplings !== null && { couplings }),
    ...(byState && { color: 'state' }),
    ...(time !== null && { time }),
    ...(against?.kind === 'CHIP' && { chip: against.chipId }),
    ...(since !== null && { since }),
  });
}

/** The map of the page that `search` is of, coloured by the states of the values of a metric. */
export function statesAddress(
  scope: MetricOfCatalogueFragment['scope'],
  metric: string,
  search: string,
): { readonly search: string; readonly hash: string } {
  const query = new URLSearchParams(search);
  const of = scope === 'QUBIT' ? { metric } : { couplings: metric };
  const view = { ...readView(query), selection: 'LATEST', windowHours: null, against: null } as const;
  return { search: `?${writeView({ ...view, ...of, byState: true }, query)}`, hash: '#map' };
}

/** Picks a qubit, or puts it back; the one picked first makes room for one too many. */
export const togglePicked = (picked: readonly string[], qid: string): readonly string[] =>
  picked.includes(qid) ? picked.filter((other) => other !== qid) : [...picked, qid].slice(-MAX_PICKED);
