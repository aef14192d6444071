import { NotFoundError } from '../src/base/errors.ts';

/** What a stored reference leads to. @throws NotFoundError when it was removed since. */
export async function existing<Value>(
  loaded: Promise<Value | null | undefined>,
  what: string,
): Promise<Value> {
  const value = await loaded;
  if (value === null || value === undefined) throw new NotFoundError(`this ${what} is not there any more`);
  return value;
}
