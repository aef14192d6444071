import { type Kysely, sql } from 'kysely';

/** The few events that tell how an answer came about are found without reading the whole turn. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create index events_of_notice on events (turn_id, seq)
    where type in ('SourceFallbackEvent', 'StepResetEvent')`.execute(db);
}
