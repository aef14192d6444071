import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { readTimes, writeTimes, type Times } from './time-range.ts';

/** The times of a page, which its address has as `time`; choosing others makes no step in the history. */
export function useTimesOfPage(): readonly [Times, (times: Times) => void] {
  const [query] = useSearchParams();
  const setPart = useSetPart();
  const time = query.get('time');
  const times = useMemo(() => readTimes(time), [time]);
  const choose = useCallback((chosen: Times): void => setPart('time', writeTimes(chosen)), [setPart]);
  return [times, choose];
}

/**
 * Changes a part of the address without a step in the history. It starts from the address as it is by now: what the
 * page was drawn with is older when two changes follow each other closely.
 */
export function useSetPart(): (name: string, value: string | null) => void {
  const [, setQuery] = useSearchParams();
  return useCallback(
    (name, value) =>
      setQuery(withPart(new URLSearchParams(location.search), name, value), {
        replace: true,
        preventScrollReset: true,
      }),
    [setQuery],
  );
}

/** An address with one part changed; null takes it out. */
function withPart(query: URLSearchParams, name: string, value: string | null): URLSearchParams {
  const next = new URLSearchParams(query);
  if (value === null) next.delete(name);
  else next.set(name, value);
  return next;
}
