/**
 * Creates a job: one transaction looks up, checks and copies everything the job depends on, and queues it. Later
 * changes of the expert, the uploads and the defaults do not affect it, and it exists completely or not at all.
 */
import { createHash } from 'node:crypto';
import type { Viewer } from '../../domain/conversation/session.ts';
import type { BudgetDefaults } from '../../domain/members/budget.ts';
import { readBudgets } from '../../stores/pg/budgets.ts';
import { assertBudgetsLeft } from '../members/budgets.ts';
import {
  type AttachedDatasource,
  effectiveInstructions,
  type InstructionsTexts,
  type Job,
} from '../../domain/jobs/job.ts';
import { firstTitle } from '../../domain/conversation/session-title.ts';
import type { JsonObject } from '../../domain/visuals.ts';
import { ConflictError, InvalidInputError, NotFoundError, RateLimitedError } from '../../base/errors.ts';
import type { Expert } from '../../experts/expert.ts';
import { resolveJobConfig, overrideOfEdited } from '../../experts/resolve-config.ts';
import type { QueuedRun } from '../../stores/pg/job-queue.ts';
import { findBuilderSessions } from '../../stores/pg/builder-sessions.ts';
import type { Db, Tx } from '../../stores/pg/database.ts';
import { newId } from '../../stores/pg/ids.ts';
import { countOpenJobs, findJobByKey, insertJob } from '../../stores/pg/jobs.ts';
import { insertSession } from '../../stores/pg/sessions.ts';
import { viewerTransaction } from '../../stores/pg/viewer-transaction.ts';
import { readUploadedTexts } from '../../stores/pg/uploads.ts';
import { linkBuilderSession, type LinkedArtifacts } from '../builder/builder-link.ts';
import { checkInput } from '../copilot/copilot-input.ts';
import type { ExpertsService } from '../experts/experts.ts';
import { checkInstructions, createJobInput, type CheckedJob, type CreateJobInput } from './job-input.ts';

export type CreateJobDeps = {
  readonly db: Db;
  readonly experts: Pick<ExpertsService, 'find'>;
  /** Those of a project, without addresses. */
  readonly datasourcesOf: (projectId: string) => Promise<readonly AttachedDatasource[]>;
  readonly queue: { put(tx: Tx, run: QueuedRun): Promise<void> };
  /** Most queued and running jobs of one user. */
  readonly jobsPerUser: number;
  /** Budgets of the configuration. */
  readonly budgets: BudgetDefaults;
  /** @throws NotFoundError unless the viewer's project has the chip */
  checkChip(viewer: Viewer, chipId: string): Promise<void>;
};

/** A guess of when one of many jobs will be done. */
const OPEN_RETRY_MS = 60_000;

/**
 * Stores a job and queues it; the same request under the same key returns the same job.
 * @throws InvalidInputError, NotFoundError, ConflictError, RateLimitedError, TurnInProgressError, SessionLinkedError
 */
export async function createJob(deps: CreateJobDeps, viewer: Viewer, input: CreateJobInput): Promise<Job> {
  const given = checkInput(createJobInput, input);
  const requestHash = createHash('sha256').update(JSON.stringify(given)).digest('hex');
  const existing = await findCreated(deps.db, viewer, given, requestHash);
  if (existing !== null) return existing;
  if (given.chipId !== null) await deps.checkChip(viewer, given.chipId);
  const datasources = await pickDatasources(deps, viewer, given);
  const expertId = given.expertId ?? (await expertOfSession(deps.db, viewer, given));
  const expert = await findExpert(deps, viewer, expertId);
  return viewerTransaction(deps.db, viewer, async (tx) => {
    const createdMeanwhile = await findCreated(tx, viewer, given, requestHash);
    if (createdMeanwhile !== null) return createdMeanwhile;
    await assertRoom(tx, viewer, deps.jobsPerUser);
    assertBudgetsLeft(await readBudgets(tx, viewer, deps.budgets));
    return store(tx, deps, viewer, { given, requestHash, datasources, expertId, expert });
  });
}

/** @throws RateLimitedError. The transaction holds the viewer's lock, so concurrent requests are counted. */
async function assertRoom(tx: Tx, viewer: Viewer, jobsPerUser: number): Promise<void> {
  const open = await countOpenJobs(tx, viewer);
  if (open < jobsPerUser) return;
  throw new RateLimitedError(
    OPEN_RETRY_MS,
    `${open} of your jobs are queued or running, and ${jobsPerUser} are allowed; wait for one or cancel one`,
  );
}

/** @throws ConflictError if the key was used for another request */
async function findCreated(
  db: Db,
  viewer: Viewer,
  { idempotencyKey: key }: CheckedJob,
  requestHash: string,
): Promise<Job | null> {
  const existing = await findJobByKey(db, viewer, key);
  if (existing === null || existing.requestHash === requestHash) return existing?.job ?? null;
  throw new ConflictError(`idempotencyKey ${key} was used for another job; make a new one for each job`);
}

async function store(
  tx: Tx,
  { queue }: CreateJobDeps,
  viewer: Viewer,
  parts: {
    readonly given: CheckedJob;
    readonly requestHash: string;
    readonly datasources: readonly AttachedDatasource[];
    readonly expertId: string | null;
    readonly expert: Expert;
  },
): Promise<Job> {
  const { given, requestHash, datasources, expertId, expert } = parts;
  const id = newId();
  const sessionId = given.builderSessionId;
  const linked = sessionId === null ? null : await linkBuilderSession(tx, viewer, { sessionId, jobId: id });
  const { instructions, source } = await instructionsOf(tx, viewer, given, expert, linked);
  const { configOverride, resolvedConfig } = await configOf(tx, viewer, given, expert, linked);
  const session = await insertSession(tx, viewer, {
    id: newId(),
    kind: 'JOB',
    title: firstTitle(given.description),
    chipId: given.chipId,
    qid: null,
    taskId: null,
  });
  const job = await insertJob(tx, {
    id,
    sessionId: session.id,
    projectId: viewer.projectId,
    viewerId: viewer.id,
    expertId,
    expertHash: expert.contentHash,
    description: given.description,
    instructions,
    instructionsSource: source,
    configOverride,
    resolvedConfig,
    chipId: given.chipId,
    context: given.context,
    idempotencyKey: given.idempotencyKey,
    requestHash,
    datasources,
  });
  await queue.put(tx, { jobId: id, run: job.run });
  return job;
}

/** Instructions sent with the job, else uploaded, else the expert's; those of a builder session count as sent. */
async function instructionsOf(
  tx: Tx,
  viewer: Viewer,
  { instructions: sent, instructionsUploadId: uploadId }: CheckedJob,
  expert: Expert,
  linked: LinkedArtifacts | null,
) {
  const uploaded = await uploadedText(tx, viewer, uploadId, 'instructionsUploadId');
  const texts: InstructionsTexts = {
    INLINE: sent ?? (uploaded === null ? (linked?.artifacts.instructions ?? null) : null),
    UPLOAD: uploaded && checkInstructions(uploaded, 'instructionsUploadId'),
    EXPERT: null,
    TEMPLATE: null,
    GENERATED: null,
    [expert.instructionsSource]: expert.instructions,
  };
  const effective = effectiveInstructions(texts);
  if (effective !== null) return { instructions: effective.text, source: effective.source };
  throw InvalidInputError.at(
    ['input', 'instructions'],
    'are missing: give some, or name an expert that has its own',
  );
}

/** The expert's configuration, overridden by the uploaded file, overridden by what was sent or set with the builder. */
async function configOf(
  tx: Tx,
  viewer: Viewer,
  { configOverride: sent, configUploadId: uploadId }: CheckedJob,
  { layers, resolution }: Expert,
  linked: LinkedArtifacts | null,
): Promise<{ readonly configOverride: JsonObject | null; readonly resolvedConfig: JsonObject }> {
  const uploadedYaml = await uploadedText(tx, viewer, uploadId, 'configUploadId');
  const edited = linked?.artifacts.config ?? null;
  const configOverride = sent ?? (edited && overrideOfEdited(resolution.config, edited));
  const { config } = resolveJobConfig({ layers, uploadedYaml, override: configOverride });
  return { configOverride, resolvedConfig: config };
}

async function uploadedText(
  tx: Tx,
  viewer: Viewer,
  uploadId: string | null,
  field: 'instructionsUploadId' | 'configUploadId',
): Promise<string | null> {
  if (uploadId === null) return null;
  const [text] = await readUploadedTexts(tx, viewer, [uploadId]);
  if (text !== undefined && text !== null) return text;
  throw new NotFoundError(
    `${field}: you have no uploaded text ${uploadId}; texts are kept for a day: upload one with createUpload and kind TEXT`,
  );
}

/** A job without an expert uses the one of its builder session, which never changes. */
async function expertOfSession(
  db: Db,
  viewer: Viewer,
  { builderSessionId: id }: CheckedJob,
): Promise<string | null> {
  const [session] = id === null ? [] : await findBuilderSessions(db, viewer, [id]);
  return session?.expertId ?? null;
}

async function findExpert(
  { experts }: CreateJobDeps,
  viewer: Viewer,
  expertId: string | null,
): Promise<Expert> {
  const expert = await experts.find(viewer, expertId);
  if (expert === null && expertId === null) {
    throw InvalidInputError.at(['input', 'expertId'], 'is needed: the defaults of this server are broken');
  }
  if (expert === null) {
    throw new NotFoundError(`there is no expert ${expertId}; the query experts lists all of them`);
  }
  if (expert.loadError === null) return expert;
  throw InvalidInputError.at(['input', 'expertId'], `${expertId} cannot be used: ${expert.loadError}`);
}

/** @throws NotFoundError in the same words for a datasource of other projects and for none at all */
async function pickDatasources(
  { datasourcesOf }: CreateJobDeps,
  { projectId }: Viewer,
  { datasourceIds }: CheckedJob,
): Promise<readonly AttachedDatasource[]> {
  if (datasourceIds.length === 0) return [];
  const open = await datasourcesOf(projectId);
  return datasourceIds.map((id) => {
    const known = open.find((each) => each.id === id);
    if (known !== undefined) return { id, name: known.name, type: known.type, readOnly: known.readOnly };
    throw new NotFoundError(`this project has no datasource ${id}; the query datasources lists its own`);
  });
}
