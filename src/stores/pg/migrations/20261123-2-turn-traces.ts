import { type Kysely, sql } from 'kysely';

/** A turn belongs to the trace of the request that asked for it, whichever process answers it and when. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table turns add column traceparent text -- W3C; null without tracing`.execute(db);
}
