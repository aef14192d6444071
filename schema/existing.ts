import { NotFoundError } from '../src/base/errors.ts';

/** Awaits what a stored reference leads to. @throws NotFoundError if it was removed since */
export async function existing<Value>(
  loaded: Promise<Value | null | undefined>,
  what: string,
): Promise<Value> {
  const value = await loaded;
  if (value === null || value === undefined) throw new NotFoundError(`this ${what} no longer exists`);
  return value;
}
