import { sql } from 'kysely';
import type { Viewer } from '../../domain/conversation/session.ts';
import { type Db, readOne } from './database.ts';

/** What a user may upload per UTC day, in all projects. */
export type UploadLimits = { readonly filesPerDay: number; readonly bytesPerDay: number };

/** What a user uploaded today, and how long until the next day. */
export type UploadsToday = {
  readonly files: number;
  readonly bytes: number;
  readonly dayOverInMs: number;
};

/**
 * Counts a file of `bytes` and returns null, if the limits allow it; else changes nothing and returns the
 * counters. Atomic: concurrent uploads cannot exceed the limits.
 */
export async function countUpload(
  db: Db,
  { id: viewerId }: Viewer,
  bytes: number,
  { filesPerDay, bytesPerDay }: UploadLimits,
): Promise<UploadsToday | null> {
  const { rows } = await sql<{ files: number }>`
    insert into daily_uploads as today (viewer_id, day, files, bytes)
    select ${viewerId}, (now() at time zone 'UTC')::date, 1, ${bytes}::bigint
    where ${bytes}::bigint <= ${bytesPerDay}::bigint and ${filesPerDay}::int >= 1
    on conflict (viewer_id, day) do update set files = today.files + 1, bytes = today.bytes + excluded.bytes
      where today.files + 1 <= ${filesPerDay} and today.bytes + excluded.bytes <= ${bytesPerDay}::bigint
    returning files
  `.execute(db);
  if (rows.length > 0) return null;
  const counted = sql<UploadsToday>`
    select coalesce(sum(files), 0)::float8 as files, coalesce(sum(bytes), 0)::float8 as bytes,
      1000 * extract(epoch from date_trunc('day', now(), 'UTC') + interval '1 day' - now())::float8 as "dayOverInMs"
    from daily_uploads where viewer_id = ${viewerId} and day = (now() at time zone 'UTC')::date
  `;
  return readOne(counted, db);
}
