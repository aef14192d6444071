import type { Generated } from 'kysely';
import type { PictureType } from '../../../domain/conversation/picture.ts';
import type {
  Assessment,
  Block,
  Effort,
  MessageRole,
  RatingKind,
  SessionKind,
  TurnError,
  TurnStatus,
  Usage,
} from '../../../domain/conversation/session.ts';
import type { Visibility } from '../../../domain/members/sharing.ts';
import type { FreshnessJson } from '../../../domain/values/freshness.ts';
import type { JsonObject } from '../../../domain/visuals.ts';
import type { Json, Later, LaterJson } from './columns.ts';

export type SessionsTable = {
  id: string;
  kind: SessionKind;
  project_id: string;
  viewer_id: string;
  title: string;
  chip_id: string | null;
  qid: string | null;
  task_id: string | null;
  last_seq: Generated<number>;
  visibility: Generated<Visibility>;
  share_key: Later<string>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
} & TokenColumns;

/** Counters: `bigint`, which is read by casts. */
type TokenColumns = Record<`${'input' | 'output' | 'cached' | 'charged'}_tokens`, Generated<never>> & {
  cost_usd: Generated<number | null>;
};

export type TurnsTable = {
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

export type MessagesTable = {
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

export type MessageImagesTable = {
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

export type RatingsTable = {
  message_id: string;
  viewer_id: string;
  rating: number;
  kind: RatingKind | null;
  comment: string | null;
  corrected_answer: string | null;
  rated_at: Generated<Date>;
};

export type SummariesTable = {
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

export type DeletedSessionsTable = {
  id: string;
  project_id: string;
  viewer_id: string;
  deleted_at: Generated<Date>;
  job_id: string | null;
};

export type DeletedTurnsTable = { viewer_id: string; created_at: Date };

export type TokenHoldsTable = {
  turn_id: string;
  session_id: string;
  viewer_id: string;
  project_id: string;
  tokens: number;
};
