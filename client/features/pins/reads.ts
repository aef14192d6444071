/** Reads of pages as a board keeps them: tools with their arguments. */
import type { Times } from '../../components/time-range/time-range.ts';
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

/** A metric over the layout of a chip. */
export const heatmapRead = ({
  chipId,
  metric,
  selection,
  withinHours,
}: {
  readonly chipId: string;
  readonly metric: string;
  readonly selection: keyof typeof SELECTIONS;
  readonly withinHours: number | null;
}): Pinned => ({
  tool: 'generate_chip_heatmap',
  arguments: {
    chip_id: chipId,
    metric_name: metric,
    selection_mode: SELECTIONS[selection],
    within_hours: withinHours,
  },
  show: 'CHART',
});

/** Values of all qubits of a chip. */
export const summaryRead = (chipId: string): Pinned => ({
  tool: 'get_chip_summary',
  arguments: { chip_id: chipId },
  show: 'TABLE',
  span: 3,
});
