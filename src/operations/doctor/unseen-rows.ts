import { MongoServerError, type Db, type Filter, type Document } from 'mongodb';
import { countOf, joinWords } from '../../domain/text/display-text.ts';
import type { AreaFindings, Finding } from './finding.ts';

/** The database and what is already known about it. */
export type KnownDatabase = {
  readonly db: Db;
  readonly collections: ReadonlySet<string>;
  readonly projectIds: readonly string[];
  /** Registered chips by project; absent means none. */
  readonly chipIds: ReadonlyMap<string, readonly string[]>;
  /** `QPILOT_PROJECT`, which works even without a project document. */
  readonly configured: string | null;
};

/** Collections that are read by project. */
const SCOPED = [
  'chip',
  'qubit',
  'coupling',
  'task_result_history',
  'execution_history',
  'calibration_note',
  'parameter_versions',
];
/** Collections that are read by chip. */
const OF_CHIPS = ['qubit', 'coupling', 'task_result_history', 'execution_history'];
/** Names listed before the rest is counted. */
const LISTED = 5;
const TIMEOUT_MS = 5_000;
/** MongoDB's error code MaxTimeMSExpired. */
const MAX_TIME_EXPIRED = 50;

/**
 * Counts rows that no answer uses because one of their references is dangling. Read-only, and only over indexes of
 * QDash.
 */
export async function unseenRowFindings(
  report: AreaFindings,
  known: KnownDatabase,
): Promise<readonly Finding[]> {
  const found = await Promise.all([
    withoutProject(report, known),
    ofUnknownProjects(report, known),
    ofUnknownChips(report, known),
    versionsWithoutChip(report, known),
    resultsWithoutTime(report, known),
    couplingsWithoutEnds(report, known),
  ]);
  return found.flat();
}

async function withoutProject(report: AreaFindings, known: KnownDatabase): Promise<readonly Finding[]> {
  const counted = await Promise.all(SCOPED.map((name) => count(known, name, { project_id: null })));
  if (!counted.some(isSome)) return [];
  const message = `${wordsOf(counted)} without project (project_id is null): not in any answer`;
  return [report.warning(message, 'an administrator of QDash can set the project_id of their chip')];
}

async function ofUnknownProjects(report: AreaFindings, known: KnownDatabase): Promise<readonly Finding[]> {
  const reachable = new Set([...known.projectIds, ...(known.configured === null ? [] : [known.configured])]);
  const lost = [...known.chipIds].filter(([projectId]) => !reachable.has(projectId));
  return lost.map(([projectId, chipIds]) =>
    report.warning(
      `${someOf(chipIds)} of project ${projectId} cannot be queried: the project has no document`,
      `add the project in QDash, or set QPILOT_PROJECT=${projectId}`,
    ),
  );
}

async function ofUnknownChips(report: AreaFindings, known: KnownDatabase): Promise<readonly Finding[]> {
  const perProject = known.projectIds.map(async (projectId) => {
    const filter = { project_id: projectId, chip_id: { $nin: [...(known.chipIds.get(projectId) ?? [])] } };
    const counted = await Promise.all(OF_CHIPS.map((name) => count(known, name, filter)));
    if (!counted.some(isSome)) return [];
    const message = `${wordsOf(counted)} with a chip that project ${projectId} does not have: not in any answer`;
    return [report.warning(message, 'register these chips in QDash under the chip_id of the rows')];
  });
  return (await Promise.all(perProject)).flat();
}

async function versionsWithoutChip(report: AreaFindings, known: KnownDatabase): Promise<readonly Finding[]> {
  const filter = { project_id: { $in: [...known.projectIds] }, chip_id: { $in: ['', null] } };
  const counted = await count(known, 'parameter_versions', filter);
  if (!isSome(counted)) return [];
  const message = `${wordsOf([counted])} without chip (chip_id is empty): missing from the lineage of chips`;
  const advice =
    'written before QDash stored chip_id there; an administrator can copy it from the task result with the same task_id';
  return [report.warning(message, advice)];
}

async function resultsWithoutTime(report: AreaFindings, known: KnownDatabase): Promise<readonly Finding[]> {
  const counted = await Promise.all(
    known.projectIds.map((projectId) =>
      count(known, 'task_result_history', {
        project_id: projectId,
        chip_id: { $in: [...(known.chipIds.get(projectId) ?? [])] },
        start_at: null,
        end_at: null,
        status: 'completed',
      }),
    ),
  );
  const total = counted.reduce((sum, each) => sum + (each?.rows ?? 0), 0);
  if (total === 0) return [];
  const message = `${countOf(total, 'completed task result')} without start_at and end_at: listed, but values without a time do not count`;
  return [report.warning(message, 'an administrator of QDash can set the times of their execution')];
}

async function couplingsWithoutEnds(report: AreaFindings, known: KnownDatabase): Promise<readonly Finding[]> {
  const filter = { project_id: { $in: [...known.projectIds] }, qid: { $not: { $regex: '^[^-]+-[^-]+$' } } };
  const counted = await count(known, 'coupling', filter);
  if (!isSome(counted)) return [];
  const message = `${wordsOf([counted])} with a qid that is not control-target, such as 4-1: not in any answer`;
  return [report.warning(message, 'find them with {qid: {$not: /^[^-]+-[^-]+$/}} and fix or remove them')];
}

/** Number of rows; null if counting timed out. Null altogether: no such collection. */
type Counted = { readonly collection: string; readonly rows: number | null } | null;

const isSome = (counted: Counted): boolean => counted !== null && counted.rows !== 0;

async function count(
  { db, collections }: KnownDatabase,
  collection: string,
  filter: Filter<Document>,
): Promise<Counted> {
  if (!collections.has(collection)) return null;
  try {
    const rows = await db.collection(collection).countDocuments(filter, { maxTimeMS: TIMEOUT_MS });
    return { collection, rows };
  } catch (error) {
    if (error instanceof MongoServerError && error.code === MAX_TIME_EXPIRED)
      return { collection, rows: null };
    throw error;
  }
}

/** `2 rows of qubit and 1 row of coupling`. */
function wordsOf(counted: readonly Counted[]): string {
  const words = counted.flatMap((each) => {
    if (each === null || each.rows === 0) return [];
    const rows = each.rows === null ? 'an unknown number of rows' : `${each.rows.toLocaleString('en')} rows`;
    return [`${each.rows === 1 ? '1 row' : rows} of ${each.collection}`];
  });
  return joinWords(words);
}

function someOf(names: readonly string[]): string {
  const more = names.length - LISTED;
  const listed = `${names.length === 1 ? 'chip' : 'chips'} ${joinWords(names.slice(0, LISTED))}`;
  return more > 0 ? `${listed} and ${more} more` : listed;
}
