/**
 * Holds a state; readers learn of changes at most once a frame, however many events come, and less often where drawing
 * takes longer: as much time as it took is left to what the reader does.
 */
export type FrameStore<State> = {
  /** The state that readers saw last. */
  readonly get: () => State;
  /** The state that they will see next. */
  readonly peek: () => State;
  readonly update: (change: (state: State) => State) => void;
  readonly subscribe: (onChange: () => void) => () => void;
};

/** Time between two updates of a hidden page. */
const HIDDEN_MS = 100;
/** Longest pause that leaves time for the reader's own work. */
const LONGEST_REST_MS = 250;

/** A store with `initial` as its first state. */
export function createFrameStore<State>(initial: State): FrameStore<State> {
  let state = initial;
  let shown = initial;
  let isPlanned = false;
  const listeners = new Set<() => void>();
  const plan = (): void => {
    isPlanned = state !== shown;
    if (!isPlanned) return;
    // A hidden page gets no frames, and still has to be right when it is looked at.
    if (document.hidden) setTimeout(show, HIDDEN_MS);
    else requestAnimationFrame(show);
  };
  const show = (): void => {
    const startedAt = performance.now();
    // The next task but the frame's own: by then the components are rendered, laid out and painted. It is set before
    // they are notified, so that one that throws does not stop later frames.
    setTimeout(() => setTimeout(plan, Math.min(performance.now() - startedAt, LONGEST_REST_MS)));
    shown = state;
    for (const listener of listeners) listener();
  };
  return {
    get: () => shown,
    peek: () => state,
    update(change) {
      state = change(state);
      if (!isPlanned) plan();
    },
    subscribe(onChange) {
      listeners.add(onChange);
      return () => void listeners.delete(onChange);
    },
  };
}
