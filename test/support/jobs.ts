import { v4 as uuid } from 'uuid';
import { startRunner, type RunnerTimes } from '../../src/agent/runner/runner.ts';
import type { AnswerTurn, TurnRun } from '../../src/agent/turn-run.ts';
import type { TurnOutcome } from '../../src/domain/conversation/turn-activity.ts';
import type {
  AttachedDatasource,
  JobLimits,
  Job,
  JobStatus,
  PhaseDecision,
  PhaseTurn,
} from '../../src/domain/jobs/job.ts';
import { NO_BUDGETS, type BudgetDefaults } from '../../src/domain/members/budget.ts';
import { NotFoundError } from '../../src/base/errors.ts';
import { createEventLog } from '../../src/events/event-log.ts';
import { startWakeUps } from '../../src/events/wake-ups.ts';
import type { Expert } from '../../src/experts/expert.ts';
import { resolveConfig } from '../../src/experts/resolve-config.ts';
import { openJobQueue, type QueueTimes } from '../../src/stores/pg/job-queue.ts';
import { startJobWorker } from '../../src/agent/jobs/job-worker.ts';
import { createLogger } from '../../src/base/log.ts';
import { withResources, type ResourceStack } from '../../src/base/resource-stack.ts';
import type { CreateJobInput } from '../../src/services/jobs/job-input.ts';
import type { JobsService } from '../../src/services/jobs/jobs.ts';
import { createJobsService } from '../../src/services/jobs/jobs.ts';
import { createMembers } from '../../src/stores/pg/members.ts';
import { createWorkspaces } from '../../src/services/storage/workspaces.ts';
import { openDatabase, type OpenDatabase } from '../../src/stores/pg/database.ts';
import { keepDecision, listPhaseTurns, type StoredPhaseTurn } from '../../src/stores/pg/job-turns.ts';
import { noTracing, type Tracing } from '../../src/base/tracing/tracing.ts';
import { completed } from './activities.ts';
import { viewer } from './chat.ts';
import { until } from '@qpilot/test-support';

/** Limits that no test meets by accident. */
export const testJobLimits: JobLimits = {
  roundsPerPhase: 10,
  phases: 8,
  tokens: 1_000_000,
  seconds: 600,
  workspaceBytes: 1_000_000,
};

/** An expert with nothing special about it. */
export const plainExpert: Expert = {
  expertId: 'researcher',
  displayName: 'Researcher',
  description: 'Looks into things',
  icon: 'search',
  color: '#336699',
  tags: [],
  isBuiltIn: true,
  loadError: null,
  instructions: 'Find out what drifts.\n\n## Task\n',
  instructionsSource: 'EXPERT',
  layers: [{ name: 'researcher', config: { llm: { temperature: 0.5 } } }],
  resolution: resolveConfig([{ name: 'researcher', config: { llm: { temperature: 0.5 } } }]),
  contentHash: 'abc',
  version: null,
};

/** Jobs as one process serves them and works on them, without GraphQL and without a model. */
export type Jobs = OpenDatabase & {
  readonly jobs: JobsService;
  stop(): Promise<void>;
};

/** What a phase is told in a test: its place, and what it decides. */
export type TestPhase = TurnRun & {
  readonly phase: StoredPhaseTurn;
  readonly decide: (decision: PhaseDecision) => Promise<boolean>;
};

/** What may differ from test to test. */
export type JobsOptions = {
  readonly phase?: (run: TestPhase) => Promise<TurnOutcome>;
  readonly answerTurn?: (deps: OpenDatabase) => AnswerTurn;
  /** 0: jobs are only served. */
  readonly jobsAtOnce?: number;
  readonly budgets?: BudgetDefaults;
  readonly jobsPerUser?: number;
  readonly limits?: Partial<JobLimits>;
  readonly times?: Partial<RunnerTimes>;
  readonly queueTimes?: Partial<QueueTimes>;
  readonly tracing?: Tracing;
  readonly experts?: readonly Expert[];
  readonly datasources?: readonly AttachedDatasource[];
  /** Folder of the workspaces; absent: there are none. */
  readonly workspaces?: string;
};

/** Plans once, works once, and finishes. */
export async function threePhases({ phase, decide }: TestPhase): Promise<TurnOutcome> {
  if (phase.kind === 'PLANNING') {
    await decide(
      phase.phase === 1
        ? { type: 'work', todos: ['look'] }
        : { type: 'finish', summary: 'done', reportPath: null },
    );
  }
  return completed;
}

/** Starts everything that a process needs for jobs on the database of `url`; `stop` ends it in order. */
export function startJobs(url: string, options: JobsOptions = {}): Promise<Jobs> {
  return withResources((resources) => openJobs(url, options, resources));
}

async function openJobs(url: string, options: JobsOptions, resources: ResourceStack): Promise<Jobs> {
  const log = createLogger('silent');
  const database = resources.adopt(openDatabase(url, { log }), (each) => each.close());
  const wakeUps = resources.adopt(startWakeUps({ url, log }), (each) => each.close());
  await wakeUps.listening;
  const eventLog = createEventLog({ ...database, wakeUps });
  const times = { pollSeconds: 0.5, ...options.queueTimes };
  const queue = resources.adopt(await openJobQueue({ url, log, times }), (each) => each.close());
  const { phase: answer = threePhases } = options;
  const answerPhase: AnswerTurn = async (run) => {
    const phase = (await phasesOf(database, run)).at(-1)!;
    return answer({ ...run, phase, decide: (decision) => keepDecision(database.db, run.turn.id, decision) });
  };
  const runner = resources.adopt(
    startRunner({
      tracing: options.tracing ?? noTracing,
      ...database,
      wakeUps,
      eventLog,
      log,
      // What a conversation may use does not bind a job.
      budgets: { sessionTokens: 1, userTokensPerDay: 1e9, projectTokensPerDay: 1e9 },
      answerTurn: options.answerTurn?.(database) ?? answerPhase,
      leases: database.db,
      alsoSweep: (couldRenew) => queue.takeFromLost(database.db, couldRenew),
      // Phases take no place of a conversation, so that none is left.
      room: { turnsAtOnce: 0, turnsPerUser: 1 },
      now: () => new Date(),
      times: { drainMs: 0, ...options.times },
    }),
    (each) => each.stop(),
  );
  const limits = { ...testJobLimits, ...options.limits };
  const deps = { ...database, eventLog, runner, queue, limits, log, retryForMs: 30_000 };
  const { jobsAtOnce = 2, jobsPerUser = 1_000 } = options;
  resources.adopt(await startJobWorker({ ...deps, jobsAtOnce }), (each) => each.takeNoMore());
  const experts = options.experts ?? [plainExpert];
  const jobs = createJobsService({
    ...deps,
    uploads: { removeOrphaned: async () => undefined },
    workspaces: createWorkspaces({ db: database.db, folder: options.workspaces ?? '/nowhere' }),
    jobsPerUser,
    budgets: options.budgets ?? NO_BUDGETS,
    wakeUps,
    members: createMembers(database.db),
    experts: { find: async (_viewer, id) => experts.find(({ expertId }) => expertId === id) ?? null },
    datasourcesOf: async () => options.datasources ?? [],
    checkChip: async (_viewer, chipId) => {
      if (chipId !== 'demo-64') throw new NotFoundError(`there is no chip ${chipId}`);
    },
  });
  const parts = resources.move();
  return { ...database, jobs, stop: () => parts.closeAll() };
}

async function phasesOf({ db }: OpenDatabase, { turn }: TurnRun): Promise<StoredPhaseTurn[]> {
  const { job_id: jobId } = await db
    .selectFrom('job_turns')
    .select('job_id')
    .where('turn_id', '=', turn.id)
    .executeTakeFirstOrThrow();
  return listPhaseTurns(db, jobId);
}

/** A job with a key of its own. */
export const job = (more: Partial<CreateJobInput> = {}): CreateJobInput => ({
  description: 'Why did T1 of Q7 fall?',
  expertId: 'researcher',
  idempotencyKey: uuid(),
  ...more,
});

/** The job once it stands at one of `statuses`. */
export function reached(
  { jobs }: Pick<Jobs, 'jobs'>,
  { id }: Pick<Job, 'id'>,
  ...statuses: JobStatus[]
): Promise<Job> {
  return until(
    async () => {
      const [found] = await jobs.byIds(viewer, [id]);
      return found && statuses.includes(found.status) ? found : null;
    },
    { what: `job ${id} to be ${statuses.join(' or ')}` },
  );
}

/** The phases of a job in words, for example `1 PLANNING COMPLETED`. */
export async function phaseWords({ db }: Pick<Jobs, 'db'>, { id }: Pick<Job, 'id'>): Promise<string[]> {
  const turns = await listPhaseTurns(db, id);
  return turns.map(({ phase, kind, status }: PhaseTurn & { status: string }) => `${phase} ${kind} ${status}`);
}
