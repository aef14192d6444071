import { QPilotError, type LiveStatus } from '@qpilot/client';
import { useEffect, useState } from 'react';

/** Gives values until its signal fires. */
export type OpenValues<Value> = (
  signal: AbortSignal,
  onStatus: (live: LiveStatus) => void,
) => AsyncIterable<Value>;

/** The newest value; while there is none, it is loading or there is an error. */
export type Latest<Value> = {
  readonly value: Value | null;
  readonly loading: boolean;
  readonly error: QPilotError | null;
  readonly live: LiveStatus;
};

/** The newest value of what `open` gives; another `open` begins anew, and null has nothing. */
export function useLatest<Value>(open: OpenValues<Value> | null): Latest<Value> {
  const nothing = { open, value: null, loading: open !== null, error: null, live: 'connecting' } as const;
  const [state, setState] = useState<Latest<Value> & { readonly open: unknown }>(nothing);
  useEffect(() => {
    if (open === null) return undefined;
    const left = new AbortController();
    const change = (part: Partial<Latest<Value>>): void => {
      if (left.signal.aborted) return;
      setState((before) => ({ ...(before.open === open ? before : nothing), ...part }));
    };
    const readAll = async (): Promise<void> => {
      try {
        const values = open(left.signal, (live) => change({ live }));
        for await (const value of values) change({ value, loading: false, error: null });
      } catch (error) {
        if (left.signal.aborted) return;
        if (!(error instanceof QPilotError)) throw error;
        change({ error, loading: false });
      }
    };
    void readAll();
    return () => left.abort();
  }, [open]);
  return state.open === open ? state : nothing;
}
