import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { sql } from 'kysely';
import { freshnessFromJson, freshnessToJson } from '../../domain/values/freshness.ts';
import type { SessionDataStore } from '../session-store.ts';
import { type Db, transact } from './database.ts';
import { lockName } from './named-lock.ts';

/** Shorter results are not worth compressing. */
const SHORT_BODY = 1_000;
/** Off the main thread: a result may have 64 MB. */
const compress = promisify<string, Buffer>(zstdCompress);
const decompress = promisify<Buffer, Buffer>(zstdDecompress);

type StoredBody = { readonly body: string | null; readonly body_zstd: Buffer | null };

const bodyOf = async ({ body, body_zstd: zstd }: StoredBody): Promise<string> =>
  zstd === null ? (body ?? 'null') : (await decompress(zstd)).toString();

/** Results kept by key, in Postgres. */
export function createSessionDataStore(db: Db): SessionDataStore {
  const entries = (sessionId: string) =>
    db.selectFrom('session_data').where('session_id', '=', sessionId).orderBy('updated_at').orderBy('key');
  return {
    async put(sessionId, key, { json, freshness }, maxBytes) {
      const bytes = Buffer.byteLength(json);
      const stored =
        bytes > SHORT_BODY
          ? { body: null, body_zstd: await compress(json) }
          : { body: json, body_zstd: null };
      await transact(db, async (tx) => {
        // One after the other: each counts what the one before it kept.
        await lockName(tx, `data of ${sessionId}`);
        const age = freshness && JSON.stringify(freshnessToJson(freshness));
        const row = { session_id: sessionId, key, ...stored, bytes, freshness: age };
        await tx
          .insertInto('session_data')
          .values(row)
          .onConflict((conflict) =>
            conflict
              .columns(['session_id', 'key'])
              .doUpdateSet({ ...stored, bytes, freshness: age, updated_at: sql<Date>`clock_timestamp()` }),
          )
          .execute();
        await sql`
          delete from session_data as old using (
            select key, sum(bytes) over (order by key = ${key} desc, updated_at desc, key) as held
            from session_data where session_id = ${sessionId}
          ) as newest_first
          where old.session_id = ${sessionId} and old.key = newest_first.key and newest_first.held > ${maxBytes}
        `.execute(tx);
      });
    },
    async get(sessionId, key) {
      const row = await entries(sessionId)
        .select(['body', 'body_zstd'])
        .where('key', '=', key)
        .executeTakeFirst();
      return row === undefined ? null : bodyOf(row);
    },
    async list(sessionId) {
      const rows = await entries(sessionId).select(['key', 'bytes', 'updated_at', 'freshness']).execute();
      return rows.map(({ key, bytes, updated_at, freshness }) => ({
        key,
        bytes,
        updatedAt: updated_at,
        freshness: freshness && freshnessFromJson(freshness),
      }));
    },
    async all(sessionId) {
      const rows = await entries(sessionId).select(['key', 'body', 'body_zstd']).execute();
      return Promise.all(rows.map(async ({ key, ...row }) => ({ key, json: await bodyOf(row) })));
    },
  };
}
