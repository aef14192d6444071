/** What a map of a chip shows: qubits and couplings at their places, each with a value or a difference. Pure. */
import type { ChipMapQuery, MetricOfCatalogueFragment, ValueOnMapFragment } from '../../../gql/graphql.ts';

type Chip = NonNullable<ChipMapQuery['chip']>;

/** A metric as the map needs it. */
export type MapMetric = Pick<MetricOfCatalogueFragment, 'name' | 'title' | 'unit' | 'direction'>;

/** Whether a value can be relied on, for its metric. */
export type MapState = 'ENABLED' | 'STALE' | 'DOUBTFUL' | 'DISABLED' | 'MISSING';

/** A qubit, or one direction of a coupling. Places are in cells of the grid, the middle of the first one at 0, 0. */
export type MapPart = {
  readonly kind: 'QUBIT' | 'COUPLING';
  /** Its qid or coupling id. */
  readonly id: string;
  readonly label: string;
  readonly x: number;
  readonly y: number;
  /** Of a coupling: where its line goes from and to. */
  readonly line: readonly [from: Point, to: Point] | null;
  /** What is drawn: the value, or its difference to what it is compared with. */
  readonly shown: number | null;
  readonly value: number | null;
  readonly before: number | null;
  readonly state: MapState;
  readonly reason: string | null;
  readonly rating: ValueOnMapFragment['rating'];
  readonly measuredAt: string | null;
};

type Point = readonly [x: number, y: number];

/** Values to compare with, by kind and id; null where the map shows values themselves. */
export type Before = ReadonlyMap<string, number> | null;

/** Key of a part in {@link Before}. */
export const partKey = (kind: MapPart['kind'], id: string): string => `${kind} ${id}`;

/** Everything on the map. */
export type ChipMapModel = {
  readonly qubits: readonly MapPart[];
  readonly couplings: readonly MapPart[];
  readonly columns: number;
  readonly rows: number;
  /** Qubits without a known position, which are not drawn. */
  readonly unplaced: number;
};

/** Makes the map of a chip. `qubitValues` takes the place of its current values where others were asked for. */
export function chipMapOf(
  chip: Chip,
  {
    before,
    qubitValues,
  }: { readonly before: Before; readonly qubitValues: ReadonlyMap<string, number> | null },
): ChipMapModel {
  const placed = new Map<string, { readonly label: string; readonly at: Point }>();
  for (const { qid, label, position } of chip.qubits)
    if (position) placed.set(qid, { label, at: [position.column, position.row] });
  const ids = new Set(chip.couplings.map(({ couplingId }) => couplingId));
  return {
    qubits: chip.qubits.flatMap(({ qid, label, parameters }) => {
      const at = placed.get(qid)?.at;
      if (!at) return [];
      const [found] = parameters;
      const value = qubitValues === null ? (found?.displayValue ?? null) : (qubitValues.get(qid) ?? null);
      // Rating, time and doubts are those of the current value.
      const told = qubitValues === null || found?.state === 'DISABLED' ? found : undefined;
      const part = { kind: 'QUBIT' as const, id: qid, label, x: at[0], y: at[1], line: null };
      return [{ ...part, ...valueOf(value, told, before?.get(partKey('QUBIT', qid)), before !== null) }];
    }),
    couplings: chip.couplings.flatMap(({ couplingId, lastSeenAt, parameters }) => {
      const [from, to] = couplingId.split('-').map((qid) => placed.get(qid));
      if (!from || !to || lastSeenAt !== null) return [];
      const [found] = parameters;
      // A coupling that is measured in both directions is drawn as two halves, each from its control qubit.
      const hasTwin = ids.has(couplingId.split('-').toReversed().join('-'));
      const end = hasTwin ? middle(from.at, to.at) : to.at;
      const [x, y] = middle(from.at, end);
      const label = `${from.label}-${to.label}`;
      const part = { kind: 'COUPLING' as const, id: couplingId, label, x, y, line: [from.at, end] as const };
      const old = before?.get(partKey('COUPLING', couplingId));
      return [{ ...part, ...valueOf(found?.displayValue ?? null, found, old, before !== null) }];
    }),
    columns: 1 + Math.max(0, ...[...placed.values()].map(({ at }) => at[0])),
    rows: 1 + Math.max(0, ...[...placed.values()].map(({ at }) => at[1])),
    unplaced: chip.qubits.length - placed.size,
  };
}

const middle = ([ax, ay]: Point, [bx, by]: Point): Point => [(ax + bx) / 2, (ay + by) / 2];

function valueOf(
  value: number | null,
  found: ValueOnMapFragment | undefined,
  before: number | undefined,
  isCompared: boolean,
) {
  const difference = value === null || before === undefined ? null : value - before;
  return {
    shown: isCompared ? difference : value,
    value,
    before: before ?? null,
    state: value === null && found?.state !== 'DISABLED' ? 'MISSING' : stateOf(found),
    reason: found?.stateReason ?? null,
    rating: found?.rating ?? null,
    measuredAt: found?.calibratedAt ?? null,
  } as const;
}

/** The server marks old and implausible values as doubtful; pages tell the two apart. */
export function stateOf(
  found: Pick<ValueOnMapFragment, 'state' | 'stateReason' | 'isStale'> | undefined,
): MapState {
  if (!found) return 'ENABLED';
  const isOnlyOld = found.isStale && (found.stateReason ?? '').startsWith('older than');
  return found.state === 'DOUBTFUL' && isOnlyOld ? 'STALE' : found.state;
}

/** How many parts are in each state, in the order of the legend. */
export function stateCounts(parts: readonly MapPart[]): readonly (readonly [MapState, number])[] {
  const states: readonly MapState[] = ['ENABLED', 'STALE', 'DOUBTFUL', 'DISABLED', 'MISSING'];
  return states.flatMap((state) => {
    const count = parts.filter((part) => part.state === state).length;
    return count === 0 ? [] : [[state, count] as const];
  });
}

/** The part that an arrow key leads to from `from`: the nearest of its kind in that direction. */
export function partTowards(
  parts: readonly MapPart[],
  from: MapPart,
  [dx, dy]: readonly [number, number],
): MapPart | null {
  let best: MapPart | null = null;
  let least = Infinity;
  for (const part of parts) {
    const [x, y] = [part.x - from.x, part.y - from.y];
    const ahead = x * dx + y * dy;
    const aside = Math.abs(x * dy) + Math.abs(y * dx);
    // Within 45 degrees; what lies straight ahead comes before what is nearer, but beside.
    if (ahead <= 0 || aside > ahead || ahead + 2 * aside >= least) continue;
    best = part;
    least = ahead + 2 * aside;
  }
  return best;
}

/** Values of a metric by qubit, in place of the current ones. */
export const qubitValuesOf = (
  values: readonly { readonly value: number | null; readonly qubit: { readonly qid: string } }[],
): ReadonlyMap<string, number> =>
  new Map(values.flatMap(({ value, qubit }) => (value === null ? [] : [[qubit.qid, value] as const])));
