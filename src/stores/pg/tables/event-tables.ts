import type { Generated } from 'kysely';
import type { SessionEventType } from '../../../domain/conversation/session-event.ts';
import type { ToolCallStatus, TurnError } from '../../../domain/conversation/session.ts';
import type { ToolApproval } from '../../../domain/conversation/tool-approval.ts';
import type { DataSource, FreshnessJson } from '../../../domain/values/freshness.ts';
import type { ChartKind, JsonObject, TableColumn } from '../../../domain/visuals.ts';
import type { Json, Later, LaterJson } from './columns.ts';

export type EventsTable = {
  session_id: string;
  seq: number;
  turn_id: string;
  type: SessionEventType;
  payload: string;
  created_at: Generated<Date>;
};

export type EventPagesTable = {
  session_id: string;
  last_seq: number;
  first_seq: number;
  turn_ids: string[];
  found: SessionEventType[];
  tool_rounds: number;
  body: Buffer;
};

export type ToolCallsTable = {
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
  result_zstd: Later<Buffer>;
  error: LaterJson<TurnError>;
  approval: LaterJson<ToolApproval>;
};

type VisualColumns = {
  id: string;
  session_id: string;
  turn_id: string;
  call_id: string | null;
  title: string;
  body_zstd: Later<Buffer>;
};

export type ChartsTable = VisualColumns & {
  kind: ChartKind;
  data: LaterJson<readonly JsonObject[]>;
  layout: LaterJson<JsonObject>;
};

export type DataTablesTable = VisualColumns & {
  columns: LaterJson<readonly TableColumn[]>;
  rows: LaterJson<readonly JsonObject[]>;
};

export type SessionDataTable = {
  session_id: string;
  key: string;
  freshness: LaterJson<FreshnessJson>;
  body: string | null;
  body_zstd: Later<Buffer>;
  bytes: number;
  updated_at: Generated<Date>;
};

/** What records share: tools that were offered, and prompts, as JSON. */
export type ToolSchemasTable = { hash: string; schemas: string };

export type StepRecordsTable = {
  turn_id: string;
  number: number;
  tools_hash: string;
  prompt_hash: Later<string>;
  body: Later<string>;
  body_zstd: Later<Buffer>;
  created_at: Generated<Date>;
};
