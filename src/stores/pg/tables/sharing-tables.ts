import type { Generated } from 'kysely';
import type { SharedVisibility } from '../../../domain/members/sharing.ts';

/** Who opened a link while it was valid. Shown to nobody. */
export type SessionReadersTable = { session_id: string; user_id: string; opened_at: Generated<Date> };

/** Answers that are shared alone. */
export type SharedAnswersTable = {
  session_id: string;
  message_id: string;
  project_id: string;
  viewer_id: string;
  visibility: SharedVisibility;
  share_key: string;
  shared_at: Generated<Date>;
};

export type CommentsTable = {
  id: string;
  session_id: string;
  project_id: string;
  message_id: string | null;
  author_id: string;
  text: string;
  mentions: string[];
  created_at: Generated<Date>;
};
