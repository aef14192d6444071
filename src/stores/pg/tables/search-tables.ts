/** Only triggers and functions of Postgres write to it. */
export type SearchEntriesTable = {
  session_id: string;
  id: string;
  project_id: string;
  kind: string;
  words: string;
  at: Date;
};

/** Sessions that were written before there was an index. */
export type SearchBacklogTable = { session_id: string };
