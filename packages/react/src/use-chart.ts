import type { QPilotError } from '@qpilot/client';
import { readChart, type Chart } from '@qpilot/client/view';
import { useCallback } from 'react';
import { useQPilot } from './provider.ts';
import { useLatest } from './use-latest.ts';

/** A chart while it is read and after that. */
export type LoadedChart = {
  /** `data` and `layout` are Plotly's; `kind` says where they are not (`INDICATOR`). */
  readonly chart: Chart | null;
  readonly loading: boolean;
  readonly error: QPilotError | null;
};

/** A chart of a conversation by its id; null for none. */
export function useChart(id: string | null): LoadedChart {
  const qpilot = useQPilot();
  const read = useCallback(
    async function* (signal: AbortSignal) {
      if (id !== null) yield await readChart(qpilot, id, { signal });
    },
    [qpilot, id],
  );
  const { value, loading, error } = useLatest(id === null ? null : read);
  return { chart: value, loading, error };
}
