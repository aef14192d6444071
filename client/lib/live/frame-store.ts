/** Holds a state; readers learn of changes at most once a frame, however many events come. */
export type FrameStore<State> = {
  /** What readers were shown last. */
  readonly get: () => State;
  /** What they will be shown. */
  readonly peek: () => State;
  readonly update: (change: (state: State) => State) => void;
  readonly subscribe: (onChange: () => void) => () => void;
};

/** Time between two pictures where nobody looks. */
const HIDDEN_MS = 100;

/** Makes one that begins with `initial`. */
export function createFrameStore<State>(initial: State): FrameStore<State> {
  let state = initial;
  let shown = initial;
  let isPlanned = false;
  const listeners = new Set<() => void>();
  const show = (): void => {
    isPlanned = false;
    shown = state;
    for (const listener of listeners) listener();
  };
  return {
    get: () => shown,
    peek: () => state,
    update(change) {
      state = change(state);
      if (isPlanned || state === shown) return;
      isPlanned = true;
      // A hidden page gets no frames, and still has to be right when it is looked at.
      if (document.hidden) setTimeout(show, HIDDEN_MS);
      else requestAnimationFrame(show);
    },
    subscribe(onChange) {
      listeners.add(onChange);
      return () => void listeners.delete(onChange);
    },
  };
}
