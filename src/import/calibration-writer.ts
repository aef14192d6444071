/**
 * The only code that writes calibration data. It knows where it may write and how imported documents merge with stored
 * ones, but no files and formats.
 */
import {
  BSON,
  MongoBulkWriteError,
  type Collection,
  type Db,
  type Filter,
  type ObjectId,
  type OptionalUnlessRequiredId,
} from 'mongodb';
import { ConflictError } from '../base/errors.ts';
import {
  documentId,
  IMPORT_USERNAME,
  type ChipDocument,
  type ChipDocuments,
  type ChipImport,
  type EntityDocument,
  type ProjectDocument,
  type TaskResultDocument,
} from './documents.ts';
import { requireChipId } from './chip-id.ts';
import { mergeChip, mergeEntity, keepStored, mergeTaskResult } from './merge.ts';
import { claimDatabase } from './ownership.ts';

/** Task results that an import added, and those it found already stored. */
export type WriteReport = { readonly added: number; readonly alreadyThere: number };

/** How an import is stopped and followed. */
type WriteOptions = {
  readonly signal?: AbortSignal;
  /** Is told how many task results were written, or in a preview looked for. */
  readonly onWritten?: (count: number) => void;
};

/** Documents of one command, for which others of an embedded server wait some 100 ms. */
const BATCH = 500;

/** A chip with the ids of its qubits and couplings. */
export type StoredChip = {
  readonly chip: ChipDocument;
  readonly qids: ReadonlySet<string>;
  readonly couplingIds: ReadonlySet<string>;
};

/** A value as its source wrote it, and since when it is stored. */
export type WrittenValue = {
  readonly qid: string;
  readonly parameter: string;
  readonly measuredAt: Date;
  readonly written: string;
};

/** Writes into one database that is QPilot's own. */
export type CalibrationWriter = {
  /** `wanted`, else the only project there is, else `demo`. */
  projectFor(wanted: string | null): Promise<string>;
  chipIdsOf(projectId: string): Promise<readonly string[]>;
  /** The stored documents of a chip; null for an unknown id. */
  chipOf(projectId: string, chipId: string): Promise<StoredChip | null>;
  /** What the notes of imported values say was written, by kind of source. */
  writtenValuesOf(projectId: string, chipId: string, kind: string): Promise<readonly WrittenValue[]>;
  /**
   * Adds an import to what is stored. The order of imports does not matter, and the same import twice changes nothing. An abort leaves
   * the task results that were written until then; the same import again adds the rest.
   * @throws ConflictError if the chip id belongs to another device; InvalidInputError for one that no chip may have;
   * nothing is written then.
   */
  merge(documents: ChipImport, options?: WriteOptions): Promise<WriteReport>;
  /**
   * What {@link merge} would report; writes nothing.
   * @param previewed - ids of task results that were previewed before, and get those of this import
   */
  preview(documents: ChipImport, previewed: Set<string>, options?: WriteOptions): Promise<WriteReport>;
  /** Replaces everything stored of a chip by an import. */
  replace(documents: ChipDocuments): Promise<WriteReport>;
};

/**
 * Opens `db` for writing; the caller keeps owning the connection.
 * @throws StartupError if the database is not QPilot's own.
 */
export async function openCalibrationWriter(db: Db): Promise<CalibrationWriter> {
  await claimDatabase(db);
  return {
    projectFor: (wanted) => projectFor(db, wanted),
    chipIdsOf: (projectId) => db.collection('chip').distinct('chip_id', { project_id: projectId }),
    chipOf: (projectId, chipId) => chipOf(db, { project_id: projectId, chip_id: chipId }),
    writtenValuesOf: (projectId, chipId, kind) => writtenValuesOf(db, projectId, chipId, kind),
    merge: (documents, options = {}) => mergeImport(db, documents, options),
    preview: (documents, previewed, options = {}) => previewImport(db, documents, previewed, options),
    replace: (documents) => replaceChip(db, documents),
  };
}

async function projectFor(db: Db, wanted: string | null): Promise<string> {
  if (wanted !== null) return wanted;
  const projects = await db.collection<ProjectDocument>('project').find().limit(2).toArray();
  const [only] = projects;
  return only !== undefined && projects.length === 1 ? only.project_id : 'demo';
}

async function chipOf(
  db: Db,
  ofChip: Pick<ChipDocument, 'project_id' | 'chip_id'>,
): Promise<StoredChip | null> {
  const chip = await db.collection<ChipDocument>('chip').findOne(ofChip);
  if (chip === null) return null;
  const qidsOf = async (collection: string): Promise<ReadonlySet<string>> => {
    const entities = db
      .collection<EntityDocument>(collection)
      .find(ofChip)
      .project<{ qid: string }>({ qid: 1 });
    return new Set((await entities.toArray()).map(({ qid }) => qid));
  };
  return { chip, qids: await qidsOf('qubit'), couplingIds: await qidsOf('coupling') };
}

async function writtenValuesOf(
  db: Db,
  projectId: string,
  chipId: string,
  kind: string,
): Promise<readonly WrittenValue[]> {
  const rows = await db
    .collection<TaskResultDocument>('task_result_history')
    .find({ project_id: projectId, chip_id: chipId, 'note.source': kind })
    .project<Pick<TaskResultDocument, 'qid' | 'output_parameter_names' | 'end_at' | 'note'>>({
      qid: 1,
      output_parameter_names: 1,
      end_at: 1,
      note: 1,
    })
    .toArray();
  return rows.map(({ qid, output_parameter_names: [parameter = ''], end_at: measuredAt, note }) => ({
    qid,
    parameter,
    measuredAt,
    written: String(note['written']),
  }));
}

/** The chip is written last: until then an interrupted import is invisible, and repeating it completes it. */
async function mergeImport(db: Db, documents: ChipImport, options: WriteOptions): Promise<WriteReport> {
  requireChipId(documents.chip.chip_id);
  await requireSameDevice(db, documents.chip);
  await ensureProject(db, documents.chip);
  await mergeInto(db, 'execution_history', documents.executions, keepStored);
  await mergeInto(db, 'calibration_note', documents.calibrationNotes, keepStored);
  const report = await mergeInto(db, 'task_result_history', documents.taskResults, mergeTaskResult, options);
  await mergeInto(db, 'qubit', documents.qubits, mergeEntity);
  await mergeInto(db, 'coupling', documents.couplings, mergeEntity);
  await mergeInto(db, 'chip', [documents.chip], mergeChip);
  return report;
}

async function previewImport(
  db: Db,
  { chip, taskResults }: ChipImport,
  previewed: Set<string>,
  { signal, onWritten }: WriteOptions,
): Promise<WriteReport> {
  requireChipId(chip.chip_id);
  await requireSameDevice(db, chip);
  // Only imports of several snapshots repeat what they previewed, and have it in memory.
  const mayRepeat = Array.isArray(taskResults);
  const report = { added: 0, alreadyThere: 0 };
  for (const batch of batchesOf(taskResults, keepStored)) {
    signal?.throwIfAborted();
    const stored = await db
      .collection('task_result_history')
      .find({ _id: { $in: batch.map(({ _id }) => _id) } })
      .project<{ _id: ObjectId }>({ _id: 1 })
      .toArray();
    const known = new Set(stored.map(({ _id }) => _id.toHexString()));
    const added = batch
      .map(({ _id }) => _id.toHexString())
      .filter((id) => !known.has(id) && !previewed.has(id));
    if (mayRepeat) for (const id of added) previewed.add(id);
    report.added += added.length;
    report.alreadyThere += batch.length - added.length;
    onWritten?.(report.added + report.alreadyThere);
  }
  return report;
}

async function requireSameDevice(db: Db, chip: ChipDocument): Promise<void> {
  const stored = await db
    .collection<ChipDocument>('chip')
    .findOne({ project_id: chip.project_id, chip_id: chip.chip_id });
  if (stored === null || stored.source === chip.source) return;
  throw new ConflictError(
    `chip ${chip.chip_id} in project ${chip.project_id} already holds data of ${stored.source}, not ${chip.source}: choose another id with --chip-id`,
  );
}

async function ensureProject(db: Db, { project_id, system_info }: ChipDocument): Promise<void> {
  const project: Omit<ProjectDocument, 'system_info'> = {
    _id: documentId('project', project_id),
    project_id,
    owner_username: IMPORT_USERNAME,
    name: project_id,
    description: '',
    tags: [],
  };
  await db.collection<ProjectDocument>('project').updateOne(
    { project_id },
    {
      $setOnInsert: project,
      $min: { 'system_info.created_at': system_info.created_at },
      $max: { 'system_info.updated_at': system_info.updated_at },
    },
    { upsert: true },
  );
}

/** Reads what is stored under the imported ids, merges, and writes what that changed, batch by batch. */
async function mergeInto<D extends Stored>(
  db: Db,
  name: string,
  imported: Iterable<D>,
  merge: (stored: D, imported: D) => D,
  { signal, onWritten }: WriteOptions = {},
): Promise<WriteReport> {
  const report = { added: 0, alreadyThere: 0 };
  for (const batch of batchesOf(imported, merge)) {
    signal?.throwIfAborted();
    const write = () => mergeBatch<D>(db.collection<D>(name), batch, merge);
    // Another process may have added the same in between, which a second look finds.
    const { added, alreadyThere } = await write().catch(async (error: unknown) => {
      if (!isDuplicate(error)) throw error;
      const again = await write();
      const { insertedCount: own } = error;
      return { added: again.added + own, alreadyThere: again.alreadyThere - own };
    });
    report.added += added;
    report.alreadyThere += alreadyThere;
    onWritten?.(report.added + report.alreadyThere);
  }
  return report;
}

/** Each id once; documents in memory may repeat one. */
function* batchesOf<D extends Stored>(
  imported: Iterable<D>,
  merge: (stored: D, imported: D) => D,
): Generator<readonly D[], void> {
  let batch: D[] = [];
  for (const document of Array.isArray(imported) ? onceEach<D>(imported, merge) : imported) {
    batch.push(document);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function onceEach<D extends Stored>(
  imported: readonly D[],
  merge: (stored: D, imported: D) => D,
): Iterable<D> {
  const wanted = new Map<string, D>();
  for (const document of imported) {
    const id = document._id.toHexString();
    const same = wanted.get(id);
    wanted.set(id, same === undefined ? document : merge(same, document));
  }
  return wanted.values();
}

async function mergeBatch<D extends Stored>(
  collection: Collection<D>,
  batch: readonly D[],
  merge: (stored: D, imported: D) => D,
): Promise<WriteReport> {
  const stored = new Map<string, D>();
  const ids = batch.map(({ _id }) => _id);
  for await (const document of collection.find<D>({ _id: { $in: ids } } as Filter<D>)) {
    stored.set(document._id.toHexString(), document);
  }
  const isNew = ({ _id }: D): boolean => !stored.has(_id.toHexString());
  const added = batch.filter(isNew);
  // Inserting costs a third of replacing what is not there.
  if (added.length > 0)
    await collection.insertMany(added as OptionalUnlessRequiredId<D>[], { ordered: false });
  const changed = batch.flatMap((document) => {
    const before = stored.get(document._id.toHexString());
    const after = before === undefined ? undefined : merge(before, document);
    return before === undefined || after === undefined || sameBytes(before, after) ? [] : [after];
  });
  if (changed.length > 0) {
    await collection.bulkWrite(
      changed.map(({ _id, ...replacement }) => ({
        replaceOne: { filter: { _id } as Filter<D>, replacement, upsert: true },
      })),
      { ordered: false },
    );
  }
  return { added: added.length, alreadyThere: stored.size };
}

const DUPLICATE = 11_000;
const isDuplicate = (error: unknown): error is MongoBulkWriteError =>
  error instanceof MongoBulkWriteError && error.code === DUPLICATE;

const sameBytes = (a: BSON.Document, b: BSON.Document): boolean =>
  a === b || Buffer.compare(BSON.serialize(a), BSON.serialize(b)) === 0;

async function replaceChip(db: Db, documents: ChipDocuments): Promise<WriteReport> {
  await ensureProject(db, documents.chip);
  await removeChip(db, documents.chip);
  await insertAll(db, 'execution_history', documents.executions);
  await insertAll(db, 'task_result_history', documents.taskResults);
  await insertAll(db, 'calibration_note', documents.calibrationNotes);
  await insertAll(db, 'parameter_versions', documents.parameterVersions);
  await insertAll(db, 'provenance_relations', documents.provenanceRelations);
  await insertAll(db, 'provenance_activities', documents.provenanceActivities);
  for (const [collection, remarks] of Object.entries(documents.remarks ?? {})) {
    await replaceAll(db, collection, remarks);
  }
  await insertAll(db, 'qubit', documents.qubits);
  await insertAll(db, 'coupling', documents.couplings);
  await insertAll(db, 'chip', [documents.chip]);
  return { added: documents.taskResults.length, alreadyThere: 0 };
}

async function removeChip(db: Db, { project_id, chip_id }: ChipDocument): Promise<void> {
  const ofChip = { project_id, chip_id };
  await db.collection('chip').deleteMany(ofChip);
  const executions = await db
    .collection('execution_history')
    .find(ofChip)
    .project<{ execution_id: string }>({ execution_id: 1 })
    .toArray();
  const execution_id = { $in: executions.map((execution) => execution.execution_id) };
  await db.collection('provenance_relations').deleteMany({ project_id, execution_id });
  for (const name of [
    'qubit',
    'coupling',
    'task_result_history',
    'calibration_note',
    'parameter_versions',
    'provenance_activities',
    'execution_history',
  ]) {
    await db.collection(name).deleteMany(ofChip);
  }
}

type Stored = { readonly _id: ObjectId };
type Remark = Stored & Readonly<Record<string, unknown>>;

/** Some remarks name no chip to remove them by, so each takes the place of its older form. */
async function replaceAll(db: Db, collection: string, documents: readonly Remark[]): Promise<void> {
  await db.collection<{ _id: ObjectId }>(collection).bulkWrite(
    documents.map(({ _id, ...replacement }) => ({
      replaceOne: { filter: { _id }, replacement, upsert: true },
    })),
  );
}

async function insertAll(db: Db, collection: string, documents: readonly BSON.Document[]): Promise<void> {
  if (documents.length > 0) await db.collection(collection).insertMany([...documents], { ordered: false });
}
