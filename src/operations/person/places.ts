/** Where a person is in Postgres: by table, which rows are theirs. A test compares the list with all tables that there are. */

/** The rows of one table that are of a person, whose id is `$1`. */
export type Place = {
  /** Schema and name, quoted. */
  readonly table: string;
  /** Condition on the rows of the table. */
  readonly where: string;
  /** Columns that are in no export: secrets, also hashed ones. */
  readonly hidden: readonly string[];
  /** Why the rows stay when the person is deleted; null: they go. */
  readonly stays: string | null;
};

const IN_SESSIONS = 'session_id in (select id from sessions where viewer_id = $1)';
const IN_TURNS = 'turn_id in (select id from turns where viewer_id = $1)';
const IN_JOBS = 'job_id in (select id from jobs where viewer_id = $1)';

const places = (where: string, ...tables: string[]): Place[] =>
  tables.map((table) => ({ table, where, hidden: [], stays: null }));

const secrets = (table: string, where: string, ...hidden: string[]): Place => ({
  table,
  where,
  hidden,
  stays: null,
});

/** In an order in which rows can be deleted: what refers to others comes first. */
export const PLACES: readonly Place[] = [
  {
    table: 'tool_schemas',
    where: `hash in (select unnest(array[tools_hash, prompt_hash]) from step_records where ${IN_TURNS})`,
    hidden: [],
    stays: 'prompts and tools that records of other people share',
  },
  ...places(IN_TURNS, 'step_records'),
  ...places(
    IN_SESSIONS,
    'search_entries',
    'search_backlog',
    'events',
    'event_pages',
    'tool_calls',
    'charts',
    'tables',
    'session_data',
    'session_uploads',
    'builder_links',
    'builder_edits',
    'builder_proposals',
    'builder_artifact_revisions',
  ),
  ...places(IN_JOBS, 'job_turns', 'job_datasources'),
  ...places(
    'viewer_id = $1',
    'shared_answers',
    'builder_drafts',
    'ratings',
    'summaries',
    'message_images',
    'messages',
    'jobs',
    'token_holds',
    'turns',
    'sessions',
    'job_drafts',
    'uploads',
    'daily_uploads',
    'boards',
    'deleted_sessions',
    'deleted_turns',
    'viewer_starts',
    'rate_buckets',
  ),
  ...places(
    "scope = 'VIEWER' and id = $1 or scope = 'MEMBER' and right(id, length($1::text) + 1) = E'\\n' || $1",
    'daily_usage',
  ),
  ...places('author_id = $1', 'comments'),
  ...places('user_id = $1', 'session_readers', 'board_readers'),
  ...places('person_id = $1', 'budgets'), // who set one for others stays as an id
  {
    table: 'audit_log',
    where: 'person_id = $1',
    hidden: [],
    stays: 'the audit keeps the id, without name and address, until its age',
  },
  {
    table: 'alert_rules',
    where: 'viewer_id = $1',
    hidden: [],
    stays: 'rules of alerts belong to the project; they keep the id of who wrote them',
  },
  {
    table: 'alert_destinations',
    where: 'viewer_id = $1',
    hidden: ['target'],
    stays: 'destinations of alerts belong to the project; they keep the id of who set them',
  },
  {
    table: 'alerts',
    where: 'acknowledged_by = $1',
    hidden: [],
    stays: 'alerts belong to the project; they keep the id of who acknowledged them',
  },
  {
    table: 'mutes',
    where: 'muted_by = $1',
    hidden: [],
    stays: 'what is muted belongs to the project until it ends; it keeps the id of who muted it',
  },
  ...places('user_id = $1', 'members'),
  secrets('auth.api_keys', 'user_id = $1', 'hash'),
  secrets(
    'auth.assistant_tokens',
    'assistant_id in (select id from auth.assistants where user_id = $1)',
    'hash',
    'parent',
  ),
  secrets('auth.assistants', 'user_id = $1', 'challenge'),
  secrets('auth."session"', '"userId" = $1', 'token'),
  secrets('auth."twoFactor"', '"userId" = $1', 'secret', 'backupCodes'),
  secrets('auth."deviceCode"', '"userId" = $1', 'deviceCode', 'userCode'),
  secrets('auth."account"', '"userId" = $1', 'password', 'accessToken', 'refreshToken', 'idToken'),
  secrets('auth."verification"', 'strpos("value", $1) > 0', 'value', 'identifier'),
  secrets('auth.invitations', 'email = (select email from auth."user" where id = $1)', 'hash'),
  ...places('id = $1', 'auth."user"'),
  {
    table: 'saved_experts',
    where: '$1 in (author_id, created_by)',
    hidden: [],
    stays:
      'experts belong to their project; they keep the id of who made them, which no name belongs to any more',
  },
];

/** Tables in which nobody is: messages about alerts, and about turns and jobs without their people; limits by address or chip, programs that registered, what is known of models, and tables of libraries. */
export const IMPERSONAL: readonly string[] = [
  'alert_deliveries',
  'alert_delivery_items',
  'auth.oauth_clients',
  'auth.rateLimit',
  'kysely_migration',
  'kysely_migration_lock',
  'live_calls',
  'model_lessons',
];
