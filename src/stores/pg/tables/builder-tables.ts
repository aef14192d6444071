import type { Generated } from 'kysely';
import type { ArtifactKind } from '../../../domain/artifacts/artifacts.ts';
import type { EditTrace } from '../../../domain/artifacts/edit-trace.ts';
import type { EditDecision, RevisionAuthor } from '../../../domain/conversation/builder-session.ts';
import type { JsonObject } from '../../../domain/visuals.ts';
import type { Json, Later, LaterJson } from './columns.ts';

type ArtifactColumns = {
  instructions: string | null;
  config: LaterJson<JsonObject>;
  description: string | null;
};

export type BuilderDraftsTable = {
  session_id: string;
  project_id: string;
  viewer_id: string;
  expert_id: string | null;
  client_request_id: string | null;
  strict: boolean;
  review: boolean;
  reopened_at: Later<Date>;
};

export type BuilderArtifactRevisionsTable = ArtifactColumns & {
  session_id: string;
  revision: number;
  author: RevisionAuthor;
  turn_id: string | null;
  call_id: string | null;
  undone_turn_id: string | null;
  restored_revision: number | null;
  created_at: Generated<Date>;
};

export type BuilderEditsTable = {
  id: string;
  session_id: string;
  turn_id: string;
  call_id: string;
  artifact: ArtifactKind;
  trace: Json<EditTrace>;
  is_proposal: boolean;
  decision: EditDecision | null;
  revision: number | null;
};

export type BuilderProposalsTable = ArtifactColumns & { session_id: string; turn_id: string };

export type BuilderLinksTable = {
  job_id: string;
  session_id: string;
  revision: number;
  linked_at: Generated<Date>;
};

export type BuilderSessionsView = {
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
