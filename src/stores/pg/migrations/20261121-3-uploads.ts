import { type Kysely, sql } from 'kysely';

/** Uploaded tables, whose rows are Parquet files in the data folder, and the conversations that use them. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table uploads (
    id uuid primary key, -- and the name of its file
    project_id text not null,
    viewer_id text not null,
    name text not null,
    size_bytes integer not null,
    row_count integer not null,
    columns json not null,
    created_at timestamptz(3) not null default now(),
    used_at timestamptz(3) not null default now() -- newest message that named it
  )`.execute(db);
  await sql`create index uploads_by_use on uploads (used_at)`.execute(db);
  // A session that is deleted lets go of its tables; those that no session holds are removed with their files later.
  await sql`create table session_uploads (
    session_id uuid not null references sessions on delete cascade,
    upload_id uuid not null references uploads,
    dataset text not null, -- what tools call it in this session
    added_at timestamptz not null default clock_timestamp(),
    primary key (session_id, upload_id),
    unique (session_id, dataset)
  )`.execute(db);
  await sql`create index session_uploads_of_upload on session_uploads (upload_id)`.execute(db);
}
