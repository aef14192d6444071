/** Reads of pages as a board keeps them: tools with their arguments. */
import type { Times } from '../../components/time-range/time-range.ts';
import type { ShownMap } from '../chips/map/pinned-map.tsx';
import type { Pinned } from './pin-dialog.tsx';

type History = {
  readonly chipId: string;
  readonly parameter: string;
  readonly qids: readonly string[];
  /** Those between two times are the item's own; others are the board's to choose, since they go on. */
  readonly times: Times;
};

/** How a parameter of some qubits went. */
export const historyRead = ({ chipId, parameter, qids, times }: History): Pinned => ({
  tool: 'get_chip_parameter_timeseries',
  arguments: { chip_id: chipId, parameter_name: parameter, qids, last_n: 200, ...ownTimes(times) },
  show: 'CHART',
  span: 2,
});

const ownTimes = (times: Times) =>
  times?.kind === 'BETWEEN' ? { from: times.from, to: times.to } : { from: null, to: null };

const SELECTIONS = { LATEST: 'latest', BEST: 'best', AVERAGE: 'average' } as const;

type Shown = Pick<ShownMap, 'chipId' | 'metric' | 'selection' | 'windowHours'>;

const metricArguments = ({ chipId, metric, selection, windowHours }: Shown) => ({
  chip_id: chipId,
  metric_name: metric,
  selection_mode: SELECTIONS[selection],
  within_hours: windowHours,
});

const MAP = 'show_chip_map';

/** The map of a chip: its qubits and couplings, as values, states or differences. */
export const mapRead = (shown: ShownMap): Pinned => ({
  tool: MAP,
  arguments: {
    ...metricArguments(shown),
    coupling_metric: shown.couplings,
    by_state: shown.byState,
    since: shown.since,
    other_chip: shown.otherChip,
  },
  show: 'TABLE',
  span: 2,
});

type Given = Readonly<Record<string, unknown>>;

/** What the map of a read shows; null for other reads. */
export function mapOf({ tool, arguments: given }: { tool: string; arguments: unknown }): ShownMap | null {
  if (tool !== MAP) return null;
  const { chip_id, metric_name, selection_mode, within_hours, coupling_metric, ...more } = given as Given;
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  return {
    chipId: text(chip_id) ?? '',
    metric: text(metric_name) ?? '',
    couplings: text(coupling_metric),
    selection: selectionOf(text(selection_mode)),
    windowHours: typeof within_hours === 'number' ? within_hours : null,
    byState: more['by_state'] === true,
    since: text(more['since']),
    otherChip: text(more['other_chip']),
  };
}

const selectionOf = (mode: string | null): ShownMap['selection'] =>
  mode === 'best' ? 'BEST' : mode === 'average' ? 'AVERAGE' : 'LATEST';

/** How the values of a metric are distributed over a chip. */
export const distributionRead = (shown: Shown): Pinned => ({
  tool: 'show_distribution',
  arguments: metricArguments(shown),
  show: 'CHART',
});

/** The health of a chip, as a card. */
export const healthRead = (chipId: string): Pinned => ({
  tool: 'get_chip_summary',
  arguments: { chip_id: chipId },
  show: 'CHART',
});

/** Values of all qubits of a chip. */
export const summaryRead = (chipId: string): Pinned => ({
  tool: 'get_chip_summary',
  arguments: { chip_id: chipId },
  show: 'TABLE',
  span: 3,
});
