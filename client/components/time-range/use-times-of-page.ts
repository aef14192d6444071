import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { readTimes, writeTimes, type Times } from './time-range.ts';

/** The times of a page, which its address has as `time`; choosing others makes no step in the history. */
export function useTimesOfPage(): readonly [Times, (times: Times) => void] {
  const [query, setQuery] = useSearchParams();
  const time = query.get('time');
  const times = useMemo(() => readTimes(time), [time]);
  const choose = useCallback(
    (chosen: Times): void =>
      setQuery((now) => withPart(now, 'time', writeTimes(chosen)), {
        replace: true,
        preventScrollReset: true,
      }),
    [setQuery],
  );
  return [times, choose];
}

/** An address with one part changed; null takes it out. */
export function withPart(query: URLSearchParams, name: string, value: string | null): URLSearchParams {
  const next = new URLSearchParams(query);
  if (value === null) next.delete(name);
  else next.set(name, value);
  return next;
}
