import { sql } from 'kysely';
import { type Db, readOne } from './database.ts';

/** A bucket: whose it is, how much it holds, and how fast it fills. */
export type Bucket = {
  readonly viewerId: string;
  readonly name: string;
  readonly size: number;
  readonly perSecond: number;
};

/** Takes tokens of a bucket that all servers share, in one statement: up to `wanted`, or none if it has less than needed. */
export async function takeTokens(
  db: Db,
  { viewerId, name, size, perSecond }: Bucket,
  { needed, wanted }: { readonly needed: number; readonly wanted: number },
): Promise<{ readonly granted: number; readonly waitMs: number }> {
  type Row = { readonly taken: { readonly granted: number; readonly waitMs: number } };
  const statement = sql<Row>`
    select take_tokens(${viewerId}, ${name}, ${size}, ${perSecond}, ${needed}, ${wanted}) as taken`;
  return (await readOne(statement, db)).taken;
}
