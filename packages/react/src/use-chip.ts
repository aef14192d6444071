import type { LiveStatus, QPilotError } from '@qpilot/client';
import { watchChip, type Chip } from '@qpilot/client/view';
import { useCallback } from 'react';
import { useQPilot } from './provider.ts';
import { useLatest, type OpenValues } from './use-latest.ts';

/** A chip while it is read and as it is now. */
export type LoadedChip = {
  readonly chip: Chip | null;
  readonly loading: boolean;
  readonly error: QPilotError | null;
  /** Whether changes arrive as they happen. */
  readonly live: LiveStatus;
};

/** A chip, kept fresh while the component is there; `metric` is a qubit metric whose map is read along, such as `t1`. */
export function useChip(
  chipId: string,
  { metric }: { readonly metric?: string | undefined } = {},
): LoadedChip {
  const qpilot = useQPilot();
  const watch = useCallback<OpenValues<Chip>>(
    (signal, onStatus) => watchChip(qpilot, chipId, { metric, signal, onStatus }),
    [qpilot, chipId, metric],
  );
  const { value: chip, ...rest } = useLatest(watch);
  return { chip, ...rest };
}
