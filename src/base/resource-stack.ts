/** Closes resources in reverse order of opening, like `await using`, which Node 22 lacks. */

type Close = () => unknown;

/** A stack of close functions. Use {@link withResources}, or call `closeAll` yourself. */
export class ResourceStack {
  #closers: Close[] = [];
  #isOver = false;

  /** Registers `close`, to be awaited by `closeAll`. */
  defer(close: Close): void {
    if (this.#isOver) throw new Error('the resources were already closed or moved');
    this.#closers.push(close);
  }

  /** Like {@link defer}; returns `value`. */
  adopt<T>(value: T, close: (value: T) => unknown): T {
    this.defer(() => close(value));
    return value;
  }

  /** Moves all resources to a new stack; its owner closes them. */
  move(): ResourceStack {
    const moved = new ResourceStack();
    moved.#closers = this.#end();
    return moved;
  }

  /**
   * Closes everything once, last opened first, one at a time, even after failures.
   * @throws the only error, or an AggregateError of several.
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
    if (errors.length > 1) throw new AggregateError(errors, `failed to close ${errors.length} resources`);
  }

  #end(): Close[] {
    const closers = this.#closers;
    this.#closers = [];
    this.#isOver = true;
    return closers;
  }
}

/**
 * Runs `work` and closes its resources in any case, except those it moved.
 * @throws the error of `work`, or an AggregateError of that and of closing errors.
 */
export async function withResources<T>(work: (resources: ResourceStack) => Promise<T>): Promise<T> {
  const resources = new ResourceStack();
  let result: T;
  try {
    result = await work(resources);
  } catch (error) {
    await resources.closeAll().catch((closing: unknown) => {
      throw new AggregateError([error, closing], 'failed, and then failed to close resources', {
        cause: error,
      });
    });
    throw error;
  }
  await resources.closeAll();
  return result;
}
