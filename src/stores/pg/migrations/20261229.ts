import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What a person decides about calls that change something outside: {state, server, tool, until, decidedBy, decidedAt}. */
async function approvals(db: Kysely<never>): Promise<void> {
  await sql`alter table tool_calls add column approval json`.execute(db);
}

/** The call that a job's review is about: {tool, server, serverTool, arguments, approvedBy}. */
async function reviewedCalls(db: Kysely<never>): Promise<void> {
  await sql`alter table jobs add column review_call json`.execute(db);
}

/** These migrations by name. */
export const MIGRATIONS_20261229: Readonly<Record<string, Migration>> = {
  '20261229-1-tool-approvals': { up: approvals },
  '20261229-2-reviewed-calls': { up: reviewedCalls },
};
