/**
 * Everything that this server stores and that grows: where it is, how long it is kept, and what keeps it for longer. A
 * test compares the list with the tables of Postgres and the entries of the data folder.
 */
import { ALERT_LIMITS } from '../../domain/alerts/alert.ts';
import { QUEUE_SCHEMA } from '../../stores/pg/job-queue.ts';

/** Periods in days; null: for ever. */
export type Retention = {
  /** After the last message. */
  readonly conversations: number | null;
  /** After the end of the job, as the next ones. */
  readonly jobs: number | null;
  readonly workspaces: number | null;
  /** After the last message of the conversation or job. */
  readonly stepRecords: number | null;
  readonly keptResults: number | null;
  /** After what was done. */
  readonly audit: number | null;
};

/** One kind of stored data. */
export type StoredKind = {
  /** In Postgres; `schema.*` for all of a schema. */
  readonly tables: readonly string[];
  /** Entries of the data folder. */
  readonly entries: readonly string[];
  /** A setting, or days where there is none; null: for ever, or until somebody deletes it. */
  readonly period: keyof Retention | number | null;
};

const ofTables = (period: StoredKind['period'], ...tables: string[]): StoredKind => ({
  tables,
  entries: [],
  period,
});
const ofEntries = (period: StoredKind['period'], ...entries: string[]): StoredKind => ({
  tables: [],
  entries,
  period,
});

/** By name. */
export const STORED_KINDS = {
  /** Conversations and builder sessions; of the latter those without a job go after a day. */
  CONVERSATIONS: ofTables(
    'conversations',
    'sessions',
    'turns',
    'messages',
    'summaries',
    'ratings',
    'comments',
    'session_readers',
    'shared_answers',
    'search_entries',
    'search_backlog',
    'session_uploads',
    'builder_drafts',
    'builder_artifact_revisions',
    'builder_edits',
    'builder_proposals',
    'builder_links',
    'job_drafts',
  ),
  /** With their conversation or job, as the next two. */
  EVENTS: ofTables('conversations', 'events', 'event_pages'),
  TOOL_RESULTS: ofTables('conversations', 'tool_calls', 'charts', 'tables'),
  PICTURES: ofTables('conversations', 'message_images'),
  /** Results that tools kept for later calls of their conversation: they can be fetched again. */
  KEPT_RESULTS: ofTables('keptResults', 'session_data'),
  /** Model calls as they were sent, for replays and for sending earlier turns again as they were. */
  STEP_RECORDS: ofTables('stepRecords', 'step_records', 'tool_schemas'),
  JOBS: ofTables('jobs', 'jobs', 'job_turns', 'job_datasources'),
  WORKSPACES: ofEntries('workspaces', 'jobs'),
  /** From the last conversation that uses them on. */
  UPLOADS: { tables: ['uploads'], entries: ['uploads'], period: 1 },
  /** From the end of the run on. */
  QUEUE: ofTables(1, `${QUEUE_SCHEMA}.*`),
  /** Counters of limits, and what is known of deleted conversations: 90 days at most. */
  COUNTERS: ofTables(
    90,
    'daily_usage',
    'daily_uploads',
    'deleted_sessions',
    'deleted_turns',
    'live_calls',
    'model_lessons',
    'token_holds', // until the end of the turn
    'viewer_starts', // one a user
    'rate_buckets', // until a day after their last use
  ),
  /** Who did what. */
  AUDIT: ofTables('audit', 'audit_log'),
  PROJECTS: ofTables(
    null,
    'saved_experts',
    'boards',
    'board_readers',
    'members',
    'budgets',
    'mutes',
    'alert_rules',
    'alert_destinations',
  ),
  /** From their end on; messages about ended turns and jobs for 30 days. */
  ALERTS: ofTables(ALERT_LIMITS.keptDays, 'alerts', 'alert_deliveries', 'alert_delivery_items'),
  /** Users and their keys, until somebody removes them; what has expired goes after a day. */
  ACCOUNTS: ofTables(null, 'auth.*'),
  /** Of the embedded MongoDB; importers decide. */
  CALIBRATION: ofEntries(null, 'mongo'),
  /** Copies of what Python loads; of other versions for a week. */
  SANDBOX: ofEntries(7, 'sandbox'),
  /** Files of the embedded PostgreSQL besides tables, and of processes: they do not grow. */
  SYSTEM: {
    tables: ['kysely_migration', 'kysely_migration_lock'],
    entries: ['postgres', 'run'],
    period: null,
  },
} as const satisfies Readonly<Record<string, StoredKind>>;

/** Name of a kind. */
export type StoredKindName = keyof typeof STORED_KINDS;
