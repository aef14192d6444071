import { useEffect, useMemo } from 'react';

/** Has `act` run `ms` after it is asked for, once for all who ask until then: nobody puts it off. */
export function createSoon(act: () => void, ms: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    ask: (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        act();
      }, ms);
    },
    stop: (): void => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

/** Asks for `act`, as {@link createSoon} does; what was asked for ends with the component. */
export function useSoon(act: () => void, ms: number): () => void {
  const soon = useMemo(() => createSoon(act, ms), [act, ms]);
  useEffect(() => soon.stop, [soon]);
  return soon.ask;
}
