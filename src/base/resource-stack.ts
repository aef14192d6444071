/**
 * What was opened on the way to something, so that it can be closed again in the reverse order: on the first failure, or
 * at the end. JavaScript has declarations of its own for this (`await using`), which Node 22 does not have.
 */

type Close = () => unknown;

/** Collects how each thing is closed that was opened. Made by {@link withResources}, or by who closes it itself. */
export class ResourceStack {
  #closers: Close[] = [];
  #isOver = false;

  /** Has `close` called, and waited for, when all is closed. */
  defer(close: Close): void {
    if (this.#isOver)
      throw new Error('nothing can be opened any more: what was opened is closed or was moved');
    this.#closers.push(close);
  }

  /** As {@link defer}, for a value that it gives back. */
  adopt<T>(value: T, close: (value: T) => unknown): T {
    this.defer(() => close(value));
    return value;
  }

  /** Hands everything over to a new owner, who closes it; nothing is left to close here. */
  move(): ResourceStack {
    const moved = new ResourceStack();
    moved.#closers = this.#end();
    return moved;
  }

  /**
   * Closes everything once, the last opened first, one after the other, whatever fails of it.
   * @throws what the only failure threw, or an AggregateError of all.
   */
  async closeAll(): Promise<void> {
    const errors: unknown[] = [];
    for (const close of this.#end().toReversed()) {
      try {
        await close();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length === 1) throw errors[0];
    if (errors.length > 1) throw new AggregateError(errors, `${errors.length} things could not be closed`);
  }

  #end(): Close[] {
    const closers = this.#closers;
    this.#closers = [];
    this.#isOver = true;
    return closers;
  }
}

/**
 * Runs `work` and closes what it opened, whether it ends well or fails; what it moved stays open.
 * @throws what `work` threw, or an AggregateError of that and of what could not be closed.
 */
export async function withResources<T>(work: (resources: ResourceStack) => Promise<T>): Promise<T> {
  const resources = new ResourceStack();
  let result: T;
  try {
    result = await work(resources);
  } catch (error) {
    await resources.closeAll().catch((closing: unknown) => {
      throw new AggregateError([error, closing], 'it failed, and then something could not be closed', {
        cause: error,
      });
    });
    throw error;
  }
  await resources.closeAll();
  return result;
}
