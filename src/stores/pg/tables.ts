import type {
  BuilderDraftsTable,
  BuilderArtifactRevisionsTable,
  BuilderEditsTable,
  BuilderProposalsTable,
  BuilderLinksTable,
  BuilderSessionsView,
} from './tables/builder-tables.ts';
import type {
  EventsTable,
  EventPagesTable,
  ToolCallsTable,
  ChartsTable,
  DataTablesTable,
  SessionDataTable,
  ToolSchemasTable,
  StepRecordsTable,
} from './tables/event-tables.ts';
import type {
  JobsTable,
  JobTurnsTable,
  JobDatasourcesTable,
  JobDraftsTable,
  SavedExpertsTable,
} from './tables/job-tables.ts';
import type {
  SessionsTable,
  TurnsTable,
  MessagesTable,
  MessageImagesTable,
  RatingsTable,
  SummariesTable,
  DeletedSessionsTable,
  DeletedTurnsTable,
  TokenHoldsTable,
} from './tables/conversation-tables.ts';
import type {
  AlertDeliveriesTable,
  AlertDeliveryItemsTable,
  AlertDestinationsTable,
  AlertRulesTable,
  AlertsTable,
} from './tables/alert-tables.ts';
import type { AssistantsTable, AssistantTokensTable, OAuthClientsTable } from './tables/assistant-tables.ts';
import type { AuditLogTable } from './tables/audit-tables.ts';
import type { BoardReadersTable, BoardsTable } from './tables/board-tables.ts';
import type { BudgetsTable, MembersTable } from './tables/member-tables.ts';
import type { MutesTable } from './tables/mute-tables.ts';
import type { CommentsTable, SessionReadersTable, SharedAnswersTable } from './tables/sharing-tables.ts';
import type { SearchBacklogTable, SearchEntriesTable } from './tables/search-tables.ts';
import type { UploadsTable, SessionUploadsTable } from './tables/upload-tables.ts';
import type {
  ApiKeysTable,
  AuthAccountTable,
  AuthSessionTable,
  AuthUserTable,
  InvitationsTable,
} from './tables/people-tables.ts';

/** Every table, as the migrations leave them; the migrations document the columns. */
export type Database = {
  sessions: SessionsTable;
  turns: TurnsTable;
  messages: MessagesTable;
  message_images: MessageImagesTable;
  events: EventsTable;
  event_pages: EventPagesTable;
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
  builder_edits: BuilderEditsTable;
  builder_proposals: BuilderProposalsTable;
  builder_links: BuilderLinksTable;
  builder_sessions: BuilderSessionsView;
  members: MembersTable;
  session_readers: SessionReadersTable;
  shared_answers: SharedAnswersTable;
  comments: CommentsTable;
  boards: BoardsTable;
  board_readers: BoardReadersTable;
  alert_rules: AlertRulesTable;
  alerts: AlertsTable;
  alert_destinations: AlertDestinationsTable;
  alert_deliveries: AlertDeliveriesTable;
  alert_delivery_items: AlertDeliveryItemsTable;
  audit_log: AuditLogTable;
  budgets: BudgetsTable;
  mutes: MutesTable;
  search_entries: SearchEntriesTable;
  search_backlog: SearchBacklogTable;
  'auth.user': AuthUserTable;
  'auth.account': AuthAccountTable;
  'auth.session': AuthSessionTable;
  'auth.api_keys': ApiKeysTable;
  'auth.invitations': InvitationsTable;
  'auth.oauth_clients': OAuthClientsTable;
  'auth.assistants': AssistantsTable;
  'auth.assistant_tokens': AssistantTokensTable;
};
