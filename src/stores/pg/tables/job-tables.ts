import type { ColumnType, Generated, RawBuilder } from 'kysely';
import type { TurnError } from '../../../domain/conversation/session.ts';
import type {
  AttachedDatasource,
  InstructionsSource,
  JobPhaseKind,
  JobStatus,
  PhaseDecision,
  ReviewedCall,
} from '../../../domain/jobs/job.ts';
import type { JsonObject } from '../../../domain/visuals.ts';
import type { Json, Later, LaterJson } from './columns.ts';

export type JobsTable = {
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
  review_call: LaterJson<ReviewedCall>;
  report: Later<string>;
  run: Generated<number>;
  claim: Generated<number>;
  worker: Later<string>;
  claimed_at: Later<Date>;
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

export type JobTurnsTable = {
  turn_id: string;
  job_id: string;
  run: number;
  phase: number;
  kind: JobPhaseKind;
  decision: LaterJson<PhaseDecision>;
};

export type JobDatasourcesTable = { job_id: string; position: number; snapshot: Json<AttachedDatasource> };

export type JobDraftsTable = {
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

export type SavedExpertsTable = {
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
  created_by: string;
  created_at: Generated<Date>;
  saved_at: Generated<Date>;
};
