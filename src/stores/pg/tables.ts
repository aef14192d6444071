import type { ColumnType, Generated, RawBuilder } from 'kysely';
import type {
  Assessment,
  Effort,
  RatingKind,
  Block,
  MessageRole,
  SessionKind,
  ToolCallStatus,
  TurnError,
  TurnStatus,
  Usage,
} from '../../domain/conversation/session.ts';
import type { RevisionAuthor } from '../../domain/conversation/builder-session.ts';
import type { PictureType } from '../../domain/conversation/picture.ts';
import type { SessionEventType } from '../../domain/conversation/session-event.ts';
import type { DatasetColumn } from '../../domain/datasets/dataset.ts';
import type {
  AttachedDatasource,
  InstructionsSource,
  JobPhaseKind,
  JobStatus,
  PhaseDecision,
} from '../../domain/jobs/job.ts';
import type { DataSource, FreshnessJson } from '../../domain/values/freshness.ts';
import type { ChartKind, JsonObject, TableColumn } from '../../domain/visuals.ts';

/** A `json` column: written as JSON text, read parsed. */
type Json<T> = ColumnType<T, string, string>;

/** Columns that are null until somebody writes them. */
type LaterJson<T> = ColumnType<T | null, string | null | undefined, string | null>;
type Later<T> = Generated<T | null>;

type SessionsTable = {
  id: string;
  kind: SessionKind;
  project_id: string;
  viewer_id: string;
  title: string;
  chip_id: string | null;
  qid: string | null;
  task_id: string | null;
  last_seq: Generated<number>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
} & TokenColumns;

/** Counters: `bigint`, which is read by casts. */
type TokenColumns = Record<`${'input' | 'output' | 'cached' | 'charged'}_tokens`, Generated<never>> & {
  cost_usd: Generated<number | null>;
};

type TurnsTable = {
  id: string;
  session_id: string;
  project_id: string;
  viewer_id: string;
  number: number;
  status: TurnStatus;
  parent_id: string | null;
  replaces_id: string | null;
  disputed_id: string | null;
  joins_id: Later<string>;
  question_id: string;
  answer_id: Later<string>;
  client_message_id: string;
  model: string | null;
  effort: Later<Effort>;
  answer_schema: LaterJson<JsonObject>;
  before_seq: number;
  rounds: Generated<number>;
  usage: LaterJson<Usage>;
  tokens_per_estimate: Later<number>;
  traceparent: Later<string>;
  error: LaterJson<TurnError>;
  owner: Later<string>;
  batches: Generated<number>;
  lease_expires_at: Later<Date>;
  cancel_requested_at: Later<Date>;
  cancel_reason: Later<string>;
  created_at: Generated<Date>;
  started_at: Later<Date>;
  as_of: Later<Date>;
  finished_at: Later<Date>;
};

type MessagesTable = {
  id: string;
  session_id: string;
  turn_id: string;
  project_id: string;
  viewer_id: string;
  role: MessageRole;
  text: string;
  blocks: Json<readonly Block[]>;
  freshness: Json<readonly FreshnessJson[]>;
  model: string | null;
  assessment: Assessment | null;
  stripped_tables: Generated<number>;
  unverified_table: Generated<boolean>;
  created_at: Generated<Date>;
};

type MessageImagesTable = {
  id: string;
  session_id: string;
  message_id: string;
  project_id: string;
  viewer_id: string;
  position: number;
  media_type: PictureType;
  width: number;
  height: number;
  body: Buffer;
  digest: string;
};

type EventsTable = {
  session_id: string;
  seq: number;
  turn_id: string;
  type: SessionEventType;
  payload: string;
  created_at: Generated<Date>;
};

type ToolCallsTable = {
  id: string;
  session_id: string;
  turn_id: string;
  call_id: string;
  tool: string;
  label: string;
  description: string;
  arguments: Json<unknown>;
  status: ToolCallStatus;
  duration_ms: number | null;
  data_source: DataSource | null;
  preview: string | null;
  freshness: LaterJson<FreshnessJson>;
  result_json: string | null;
  error: LaterJson<TurnError>;
};

type VisualColumns = {
  id: string;
  session_id: string;
  turn_id: string;
  call_id: string | null;
  title: string;
};

type ChartsTable = VisualColumns & {
  kind: ChartKind;
  data: Json<readonly JsonObject[]>;
  layout: Json<JsonObject>;
};

type DataTablesTable = VisualColumns & {
  columns: Json<readonly TableColumn[]>;
  rows: Json<readonly JsonObject[]>;
};

type SessionDataTable = {
  session_id: string;
  key: string;
  freshness: LaterJson<FreshnessJson>;
  body: string;
  bytes: number;
  updated_at: Generated<Date>;
};

type JobDraftsTable = {
  id: string;
  project_id: string;
  viewer_id: string;
  expert_id: string;
  description: string;
  instructions: string | null;
  config_override: Json<JsonObject> | null;
  chip_id: string | null;
  context: Json<JsonObject>;
  created_at: Generated<Date>;
  opened_at: Later<Date>;
};

type UploadsTable = {
  id: string;
  project_id: string;
  viewer_id: string;
  name: string;
  size_bytes: number;
  row_count: number;
  columns: Json<readonly DatasetColumn[]>;
  created_at: Generated<Date>;
  used_at: Generated<Date>;
  text: Later<string>;
};

type SessionUploadsTable = {
  session_id: string;
  upload_id: string;
  dataset: string;
  added_at: Generated<Date>;
};

type RatingsTable = {
  message_id: string;
  viewer_id: string;
  rating: number;
  kind: RatingKind | null;
  comment: string | null;
  corrected_answer: string | null;
  rated_at: Generated<Date>;
};

type DeletedSessionsTable = {
  id: string;
  project_id: string;
  viewer_id: string;
  deleted_at: Generated<Date>;
};

type DeletedTurnsTable = { viewer_id: string; created_at: Date };

type SummariesTable = {
  id: string;
  session_id: string;
  project_id: string;
  viewer_id: string;
  through_turn_id: string;
  message_count: number;
  text: string;
  model: string;
  created_at: Generated<Date>;
};

type ToolSchemasTable = { hash: string; schemas: string };

type StepRecordsTable = {
  turn_id: string;
  number: number;
  tools_hash: string;
  body: string;
  created_at: Generated<Date>;
};

type TokenHoldsTable = {
  turn_id: string;
  session_id: string;
  viewer_id: string;
  project_id: string;
  tokens: number;
};

type ArtifactColumns = {
  instructions: string | null;
  config: LaterJson<JsonObject>;
  description: string | null;
};

type BuilderDraftsTable = {
  session_id: string;
  project_id: string;
  viewer_id: string;
  expert_id: string | null;
  client_request_id: string | null;
  strict: boolean;
  review: boolean;
  reopened_at: Later<Date>;
};

type BuilderArtifactRevisionsTable = ArtifactColumns & {
  session_id: string;
  revision: number;
  author: RevisionAuthor;
  turn_id: string | null;
  call_id: string | null;
  created_at: Generated<Date>;
};

type BuilderProposalsTable = ArtifactColumns & { session_id: string; turn_id: string };

type BuilderLinksTable = {
  job_id: string;
  session_id: string;
  revision: number;
  linked_at: Generated<Date>;
};

type BuilderSessionsView = {
  id: string;
  job_id: string | null;
  expert_id: string | null;
  created_at: Date;
  updated_at: Date;
  summary: string | null;
  project_id: string;
  viewer_id: string;
  title: string;
  last_seq: number;
  strict: boolean;
  review: boolean;
  revision: number;
  is_linked: boolean;
};

type JobsTable = {
  id: string;
  session_id: string;
  project_id: string;
  viewer_id: string;
  expert_id: string | null;
  expert_hash: string | null;
  description: string;
  instructions: string;
  instructions_source: InstructionsSource;
  config_override: LaterJson<JsonObject>;
  resolved_config: Json<JsonObject>;
  chip_id: string | null;
  context: LaterJson<JsonObject>;
  idempotency_key: string;
  request_hash: string;
  status: JobStatus;
  error: LaterJson<TurnError>;
  review_note: Later<string>;
  run: Generated<number>;
  claim: Generated<number>;
  tries_left: Generated<number>;
  deadline_at: Later<Date>;
  /** `bigint`: read by casts. */
  tokens_before: ColumnType<never, undefined, RawBuilder<number>>;
  phases_before: Generated<number>;
  created_at: Generated<Date>;
  started_at: Later<Date>;
  finished_at: Later<Date>;
  changed_at: Generated<Date>;
};

type JobTurnsTable = {
  turn_id: string;
  job_id: string;
  run: number;
  phase: number;
  kind: JobPhaseKind;
  decision: LaterJson<PhaseDecision>;
};

type JobDatasourcesTable = { job_id: string; position: number; snapshot: Json<AttachedDatasource> };

type SavedExpertsTable = {
  project_id: string;
  expert_id: string;
  display_name: string;
  description: string | null;
  icon: string | null;
  color: string | null;
  tags: Json<readonly string[]>;
  instructions: string;
  config: Json<JsonObject>;
  version: number;
  author_id: string;
  created_at: Generated<Date>;
  saved_at: Generated<Date>;
};

/** Every table, as the migrations leave them; the migrations document the columns. */
export type Database = {
  sessions: SessionsTable;
  turns: TurnsTable;
  messages: MessagesTable;
  message_images: MessageImagesTable;
  events: EventsTable;
  tool_calls: ToolCallsTable;
  charts: ChartsTable;
  tables: DataTablesTable;
  session_data: SessionDataTable;
  job_drafts: JobDraftsTable;
  uploads: UploadsTable;
  session_uploads: SessionUploadsTable;
  ratings: RatingsTable;
  deleted_sessions: DeletedSessionsTable;
  deleted_turns: DeletedTurnsTable;
  summaries: SummariesTable;
  token_holds: TokenHoldsTable;
  tool_schemas: ToolSchemasTable;
  step_records: StepRecordsTable;
  saved_experts: SavedExpertsTable;
  jobs: JobsTable;
  job_turns: JobTurnsTable;
  job_datasources: JobDatasourcesTable;
  builder_drafts: BuilderDraftsTable;
  builder_artifact_revisions: BuilderArtifactRevisionsTable;
  builder_proposals: BuilderProposalsTable;
  builder_links: BuilderLinksTable;
  builder_sessions: BuilderSessionsView;
};
