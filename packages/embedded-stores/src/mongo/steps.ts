/**
 * Long reads give way to other connections: the server is one thread, so a scan hands a pause up through all stages to
 * the runner of the command, which lets the event loop answer others and then goes on.
 */

/** Stands among the items of a flow where the reader may be interrupted. */
export const PAUSE: unique symbol = Symbol('pause');
export type Pause = typeof PAUSE;

/** Items with pauses among them. */
export type Flow<T> = Iterable<T | Pause>;

/** Work that pauses, and its result. */
export type Steps<T> = Generator<Pause, T, void>;

/** All items of a flow. */
export function* allOf<T>(flow: Flow<T>): Steps<T[]> {
  const items: T[] = [];
  for (const item of flow) {
    if (item === PAUSE) yield PAUSE;
    else items.push(item);
  }
  return items;
}

/** The result of work that nothing may interrupt. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
