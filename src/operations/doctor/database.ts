import type { Settings } from '../../config/settings.ts';
import { unboundDatasources } from '../../sources/databases/datasources.ts';
import type { Db, Document } from 'mongodb';
import { countOf, formatTime, joinWords } from '../../domain/text/display-text.ts';
import { readDate, readRecord, readText } from '../../domain/values/stored-values.ts';
import { isOwnDatabase } from '../../import/ownership.ts';
import { createMongoCalibrationStore } from '../../stores/mongo/calibration-store.ts';
import { findingsOf, type AreaFindings, type Finding } from './finding.ts';
import { indexFindings } from './indexes.ts';
import type { QuerySample } from './queries.ts';
import { unseenRowFindings } from './unseen-rows.ts';

/** Collections of current QDash versions: copilot sessions, user notes and cool-downs. */
const HEAD_COLLECTIONS = ['copilot_chat_session', 'cooldown', 'chip_note', 'target_note', 'metric_note'];
/** Fields of task results in current QDash versions. */
const HEAD_FIELDS = ['user_id', 'user_note', 'excluded', 'ai_review_note'];
/** Collections that answers depend on. */
const NEEDED_COLLECTIONS = ['chip', 'qubit', 'task_result_history'];
/** Chips listed individually. */
const LISTED_CHIPS = 20;
const COUNTED = ['task_result_history', 'execution_history', 'parameter_versions'];
const TIMEOUT_MS = 5_000;

/** What the data are compared with. */
export type DataContext = {
  /** `QPILOT_PROJECT`. */
  readonly project: string | null;
  readonly now: Date;
  readonly datasources?: Settings['datasources'];
};

/** Examines the calibration database with small reads only. */
export async function databaseFindings(
  db: Db,
  { project, now, datasources = [] }: DataContext,
): Promise<readonly Finding[]> {
  const report = findingsOf('calibration data');
  const listed = await db.listCollections({}, { nameOnly: true }).toArray();
  const collections = new Set(listed.map(({ name }) => name));
  const isOwn = isOwnDatabase([...collections]);
  const missing = NEEDED_COLLECTIONS.filter((name) => !collections.has(name));
  if (missing.length > 0)
    return [missingFinding(report, db.databaseName, { missing, isEmpty: collections.size === 0 })];

  const [chips, projects] = await Promise.all([
    newestResults(db),
    createMongoCalibrationStore(db).projects(),
  ]);
  const projectIds = projects.map(({ projectId }) => projectId);
  return [
    await ageFinding(report, db, { collections, isOwn }),
    await countFinding(report, db, collections),
    ...projectFindings(report, projectIds, project),
    ...datasourceFindings(report, projectIds, datasources),
    ...chips.slice(0, LISTED_CHIPS).map((chip) => chipFinding(report, chip, now)),
    ...(await unseenRowFindings(report, {
      db,
      collections,
      projectIds,
      chipIds: chipIdsByProject(chips),
      configured: project,
    })),
    ...(await indexFindings({ db, collections, isOwn }, sampleOf(chips))),
  ];
}

function missingFinding(
  report: AreaFindings,
  database: string,
  { missing, isEmpty }: { readonly missing: readonly string[]; readonly isEmpty: boolean },
): Finding {
  if (isEmpty) {
    return report.warning(
      `the database ${database} is empty`,
      'npm start creates the demo chip in an embedded store, npm run import loads data; for a QDash deployment check MONGODB_DB',
    );
  }
  return report.problem(
    `the database ${database} is not a QDash database: it lacks ${joinWords(missing)}`,
    'set MONGODB_DB to the name of the database that QDash uses',
  );
}

async function ageFinding(
  report: AreaFindings,
  db: Db,
  { collections, isOwn }: { readonly collections: ReadonlySet<string>; readonly isOwn: boolean },
): Promise<Finding> {
  const [newest] = await db
    .collection('task_result_history')
    .find({}, { sort: { _id: -1 }, limit: 1 })
    .toArray();
  const signs = [
    ...HEAD_COLLECTIONS.filter((name) => collections.has(name)),
    ...HEAD_FIELDS.filter((field) => newest?.[field] !== undefined).map(
      (field) => `task results with ${field}`,
    ),
  ];
  if (isOwn) return report.ok('created by QPilot, in the format of a current QDash');
  if (signs.length > 0) return report.ok(`written by a current QDash (${joinWords(signs)})`);
  return report.ok(
    'written by an early QDash without user notes, exclusions and cool-downs, so answers have none',
  );
}

async function countFinding(
  report: AreaFindings,
  db: Db,
  collections: ReadonlySet<string>,
): Promise<Finding> {
  const counts = COUNTED.filter((name) => collections.has(name)).map(async (name) => {
    const count = await db.collection(name).estimatedDocumentCount({ maxTimeMS: TIMEOUT_MS });
    return `${count.toLocaleString('en')} in ${name}`;
  });
  return report.ok(`documents (estimated by the server): ${joinWords(await Promise.all(counts))}`);
}

function projectFindings(
  report: AreaFindings,
  ids: readonly string[],
  configured: string | null,
): readonly Finding[] {
  const listed = report.ok(
    `${countOf(ids.length, 'project')}${ids.length === 0 ? '' : `: ${joinWords(ids)}`}`,
  );
  if (configured !== null && !ids.includes(configured)) {
    return [
      listed,
      report.warning(`QPILOT_PROJECT=${configured} is not among them`, 'set it to one of the projects'),
    ];
  }
  if (configured === null && ids.length > 1) {
    const message = 'there are several projects, so requests must name one';
    return [listed, report.warning(message, 'set QPILOT_PROJECT, or send x-project-id with each request')];
  }
  return [listed];
}

function datasourceFindings(
  report: AreaFindings,
  projectIds: readonly string[],
  datasources: Settings['datasources'],
): readonly Finding[] {
  const unbound = unboundDatasources(datasources, projectIds);
  return unbound === null ? [] : [report.warning(unbound.message, unbound.advice)];
}

/** A chip with its newest task result. */
type ChipState = { readonly chip: Document; readonly newest: Document | null };

/** Chips by newest result; a chip registered by two users appears once. */
async function newestResults(db: Db): Promise<readonly ChipState[]> {
  const rows = await db
    .collection('chip')
    .find({ project_id: { $ne: null } }, { projection: { project_id: 1, chip_id: 1, size: 1 } })
    .toArray();
  const chips = new Map(rows.map((row) => [JSON.stringify([row['project_id'], row['chip_id']]), row]));
  const states = [...chips.values()].map(async (chip): Promise<ChipState> => {
    const [newest] = await db
      .collection('task_result_history')
      .find(
        { project_id: chip['project_id'], chip_id: chip['chip_id'] },
        { sort: { start_at: -1 }, limit: 1, maxTimeMS: TIMEOUT_MS },
      )
      .toArray();
    return { chip, newest: newest ?? null };
  });
  return (await Promise.all(states)).toSorted((a, b) => timeOf(b) - timeOf(a));
}

function chipIdsByProject(chips: readonly ChipState[]): ReadonlyMap<string, readonly string[]> {
  const ids = chips.map(({ chip }) => ({
    project: String(chip['project_id']),
    chip: String(chip['chip_id']),
  }));
  return new Map(
    [...Map.groupBy(ids, ({ project }) => project)].map(([project, own]) => [
      project,
      own.map(({ chip }) => chip),
    ]),
  );
}

const timeOf = ({ newest }: ChipState): number => readDate(newest?.['start_at'])?.getTime() ?? 0;

function chipFinding(report: AreaFindings, state: ChipState, now: Date): Finding {
  const { chip_id: chipId, project_id: projectId, size } = state.chip;
  const name = `chip ${String(chipId)} of project ${String(projectId)}, ${String(size)} qubits`;
  if (state.newest === null) return report.ok(`${name}: no results yet`);
  const at = new Date(timeOf(state));
  const hours = Math.round((now.getTime() - at.getTime()) / 3_600_000);
  return report.ok(`${name}: newest result ${formatTime(at)}, ${countOf(hours, 'hour')} ago`);
}

/** Names of a chip with results; placeholders if there is none, which lead to the same plans. */
function sampleOf(chips: readonly ChipState[]): QuerySample {
  const [state] = chips;
  const text = (row: Document | null | undefined, field: string): string => readText(row?.[field]) ?? '-';
  const newest = state?.newest;
  return {
    projectId: text(state?.chip, 'project_id'),
    chipIds: [text(state?.chip, 'chip_id')],
    taskName: text(newest, 'name'),
    qid: text(newest, 'qid'),
    parameter: Object.keys(readRecord(newest?.['output_parameters']))[0] ?? 't1',
    taskId: text(newest, 'task_id'),
    executionId: text(newest, 'execution_id'),
  };
}
