import { MongoServerError, type Db, type Filter, type Document } from 'mongodb';
import { countOf, joinWords } from '../../domain/text/display-text.ts';
import type { AreaFindings, Finding } from './finding.ts';

/** What is known of the database before its rows are counted. */
export type KnownDatabase = {
  readonly db: Db;
  readonly collections: ReadonlySet<string>;
  readonly projectIds: readonly string[];
  /** Chips that are registered, by project; a project without an entry here has none. */
  readonly chipIds: ReadonlyMap<string, readonly string[]>;
  /** `QPILOT_PROJECT`, which can be asked for even where there is no document of it. */
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
/** Names told before the rest is counted. */
const TOLD = 5;
const TIMEOUT_MS = 5_000;
/** MongoDB's error code for a command that took longer than its maxTimeMS. */
const TOOK_TOO_LONG = 50;

/**
 * Rows that are in no answer because a reference of theirs leads nowhere: counted, with what that means and what to do. Only reads,
 * all over indexes of QDash.
 */
export async function unseenRowFindings(
  say: AreaFindings,
  known: KnownDatabase,
): Promise<readonly Finding[]> {
  const found = await Promise.all([
    withoutProject(say, known),
    ofUnknownProjects(say, known),
    ofUnknownChips(say, known),
    versionsWithoutChip(say, known),
    resultsWithoutTime(say, known),
    couplingsWithoutEnds(say, known),
  ]);
  return found.flat();
}

async function withoutProject(say: AreaFindings, known: KnownDatabase): Promise<readonly Finding[]> {
  const counted = await Promise.all(SCOPED.map((name) => count(known, name, { project_id: null })));
  if (!counted.some(isSome)) return [];
  const message = `no project (project_id is null) in ${wordsOf(counted)}: no answer holds that`;
  return [say.warning(message, 'to see them, whoever runs QDash can give them the project_id of their chip')];
}

async function ofUnknownProjects(say: AreaFindings, known: KnownDatabase): Promise<readonly Finding[]> {
  const reachable = new Set([...known.projectIds, ...(known.configured === null ? [] : [known.configured])]);
  const lost = [...known.chipIds].filter(([projectId]) => !reachable.has(projectId));
  return lost.map(([projectId, chipIds]) =>
    say.warning(
      `${someOf(chipIds)} of project ${projectId} cannot be asked for: there is no document of that project`,
      `add the project in QDash, or set QPILOT_PROJECT=${projectId}`,
    ),
  );
}

async function ofUnknownChips(say: AreaFindings, known: KnownDatabase): Promise<readonly Finding[]> {
  const perProject = known.projectIds.map(async (projectId) => {
    const filter = { project_id: projectId, chip_id: { $nin: [...(known.chipIds.get(projectId) ?? [])] } };
    const counted = await Promise.all(OF_CHIPS.map((name) => count(known, name, filter)));
    if (!counted.some(isSome)) return [];
    const message = `a chip that project ${projectId} does not have in ${wordsOf(counted)}: no answer holds that`;
    return [say.warning(message, 'register these chips in QDash under the chip_id that the rows name')];
  });
  return (await Promise.all(perProject)).flat();
}

async function versionsWithoutChip(say: AreaFindings, known: KnownDatabase): Promise<readonly Finding[]> {
  const filter = { project_id: { $in: [...known.projectIds] }, chip_id: { $in: ['', null] } };
  const counted = await count(known, 'parameter_versions', filter);
  if (!isSome(counted)) return [];
  const message = `no chip (chip_id is empty) in ${wordsOf([counted])}: the lineage of a chip goes without`;
  const advice =
    'versions from before QDash kept chip_id there; whoever runs QDash can copy it from the task result of the same task_id';
  return [say.warning(message, advice)];
}

async function resultsWithoutTime(say: AreaFindings, known: KnownDatabase): Promise<readonly Finding[]> {
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
  const message = `neither start_at nor end_at in ${countOf(total, 'completed task result')}: lists hold them, but values without a time do not count`;
  return [say.warning(message, 'whoever runs QDash can give them the times of their execution')];
}

async function couplingsWithoutEnds(say: AreaFindings, known: KnownDatabase): Promise<readonly Finding[]> {
  const filter = { project_id: { $in: [...known.projectIds] }, qid: { $not: { $regex: '^[^-]+-[^-]+$' } } };
  const counted = await count(known, 'coupling', filter);
  if (!isSome(counted)) return [];
  const message = `a qid that is not control-target, such as 4-1, in ${wordsOf([counted])}: no answer holds that`;
  return [say.warning(message, 'look them up with {qid: {$not: /^[^-]+-[^-]+$/}} and mend or remove them')];
}

/** How many rows; `rows` null where the server did not get through in time. */
type Counted = { readonly collection: string; readonly rows: number | null } | null;

const isSome = (counted: Counted): boolean => counted !== null && counted.rows !== 0;

/** Null for a collection that the database does not have. */
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
    if (error instanceof MongoServerError && error.code === TOOK_TOO_LONG) return { collection, rows: null };
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
  const more = names.length - TOLD;
  const told = `${names.length === 1 ? 'chip' : 'chips'} ${joinWords(names.slice(0, TOLD))}`;
  return more > 0 ? `${told} and ${more} more` : told;
}
