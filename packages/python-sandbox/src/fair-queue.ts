/** The part of a waiting job that decides whose turn it is. */
type Waiting = { readonly user: string };

/**
 * Takes the next job out of `waiting`, which is in order of arrival: the first of a user who runs none, so that nobody
 * gets a second process while others wait; the first of all when everyone waiting runs one already.
 */
export function takeFairly<T extends Waiting>(waiting: T[], running: ReadonlySet<string>): T | undefined {
  const index = waiting.findIndex(({ user }) => !running.has(user));
  return waiting.splice(Math.max(index, 0), 1)[0];
}
