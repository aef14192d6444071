/** Runs the demo laboratory day by day, as a real one would, and keeps what it would have stored. */
import {
  documentId,
  IMPORT_USERNAME,
  NO_NOTE,
  taskIdOf,
  type CalibrationNoteDocument,
  type ExecutionDocument,
  type ParameterDocument,
  type TaskResultDocument,
} from '../documents.ts';
import { DEGRADING_QID, DEMO_COUPLINGS, DEMO_DAYS, DEMO_QUBITS, SECOND_COOLDOWN_DAY } from './device.ts';
import {
  afterMishap,
  BROKEN_OFF_MESSAGE,
  couplingIdOf,
  isBrokenOff,
  mishapOf,
  wasRun,
  type Mishap,
} from './mishaps.ts';
import { DEMO_CHIP, DEMO_PROJECT } from './names.ts';
import { createProvenanceRecorder, type ProvenanceRecorder } from './provenance.ts';
import { between, uniform } from './random.ts';
import { aiReviewOf, PEOPLE } from './remarks.ts';
import { COUPLING_TASKS, QUBIT_TASKS, type DemoTask, type Measured } from './tasks.ts';

/** Provenance is recorded for the newest days only; it is many rows. */
const PROVENANCE_DAYS = 3;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Everything that the laboratory stored. */
export type LaboratoryRecords = ReturnType<ProvenanceRecorder['finish']> & {
  readonly executions: readonly ExecutionDocument[];
  readonly taskResults: readonly TaskResultDocument[];
  readonly calibrationNotes: readonly CalibrationNoteDocument[];
  /** Newest usable value of each parameter by qid and by coupling id. */
  readonly current: ReadonlyMap<string, Readonly<Record<string, ParameterDocument>>>;
};

/** Id of the cool-down that `day` belongs to. */
export const cooldownOf = (day: number): string => (day < SECOND_COOLDOWN_DAY ? 'demo-1' : 'demo-2');

/**
 * Works from `firstDay` (midnight, UTC) for {@link DEMO_DAYS} days. Couplings are measured at 22:00, qubits at 23:00.
 */
export function runLaboratory(firstDay: Date): LaboratoryRecords {
  const executions: ExecutionDocument[] = [];
  const taskResults: TaskResultDocument[] = [];
  const calibrationNotes: CalibrationNoteDocument[] = [];
  const current = new Map<string, Record<string, ParameterDocument>>();
  const provenance = createProvenanceRecorder();

  const work = (run: Run, results: readonly TaskResultDocument[]) => {
    if (results.length === 0) return;
    executions.push(executionOf(run, results));
    taskResults.push(...results);
  };
  const finish = (result: TaskResultDocument, day: number) => {
    if (!result.excluded) {
      current.set(result.qid, { ...current.get(result.qid), ...result.output_parameters });
    }
    if (day >= DEMO_DAYS - PROVENANCE_DAYS) provenance.record(result);
    return result;
  };
  const perform = <Subject>(run: Run, task: DemoTask<Subject>, subject: Subject, qid: string) =>
    finish(taskResultOf({ run, task, subject, qid, known: current.get(qid) ?? {} }), run.day);

  for (let day = 0; day < DEMO_DAYS; day += 1) {
    const pairs: Run = {
      day,
      kind: 'coupling',
      startAt: new Date(firstDay.getTime() + day * DAY_MS + 22 * 60 * MINUTE_MS),
    };
    work(
      pairs,
      dueTasks(COUPLING_TASKS, day).flatMap((task) =>
        DEMO_COUPLINGS.map((coupling) => perform(pairs, task, coupling, couplingIdOf(coupling))),
      ),
    );
    const singles: Run = {
      day,
      kind: 'qubit',
      startAt: new Date(firstDay.getTime() + day * DAY_MS + 23 * 60 * MINUTE_MS),
    };
    work(
      singles,
      dueTasks(QUBIT_TASKS, day).flatMap((task) =>
        DEMO_QUBITS.filter(({ qid }) => wasRun(task.name, qid, day)).map((qubit) =>
          perform(singles, task, qubit, qubit.qid),
        ),
      ),
    );
    if (dueTasks(QUBIT_TASKS, day).some(({ name }) => name === 'CheckRabi')) {
      calibrationNotes.push(machineNote(singles, current, calibrationNotes.length + 1));
    }
  }
  return { executions, taskResults, calibrationNotes, current, ...provenance.finish() };
}

/** One execution: all tasks of one kind on one evening. */
type Run = { readonly day: number; readonly kind: 'qubit' | 'coupling'; readonly startAt: Date };

const executionIdOf = ({ kind, startAt }: Run): string =>
  `${startAt.toISOString().slice(0, 10).replaceAll('-', '')}-${kind === 'coupling' ? '001' : '002'}`;

/** Counted back from the newest day, on which everything runs. */
const dueTasks = <Subject>(tasks: readonly DemoTask<Subject>[], day: number): readonly DemoTask<Subject>[] =>
  tasks.filter(({ everyDays }) => (DEMO_DAYS - 1 - day) % everyDays === 0);

function executionOf(run: Run, results: readonly TaskResultDocument[]): ExecutionDocument {
  const executionId = executionIdOf(run);
  const endAt = new Date(Math.max(...results.map((result) => result.end_at.getTime())));
  const failed = run.kind === 'qubit' && isBrokenOff(run.day);
  return {
    _id: documentId('execution', DEMO_PROJECT, executionId),
    project_id: DEMO_PROJECT,
    username: IMPORT_USERNAME,
    name: run.kind === 'qubit' ? 'Daily one-qubit calibration' : 'Two-qubit calibration',
    execution_id: executionId,
    calib_data_path: '',
    note: {},
    status: failed ? 'failed' : 'completed',
    tags: run.kind === 'qubit' ? ['daily', '1q'] : ['2q'],
    chip_id: DEMO_CHIP,
    start_at: run.startAt,
    end_at: endAt,
    elapsed_time: (endAt.getTime() - run.startAt.getTime()) / 1000,
    message: failed ? BROKEN_OFF_MESSAGE : '',
    system_info: { created_at: run.startAt, updated_at: endAt },
  };
}

function taskResultOf<Subject>(job: {
  readonly run: Run;
  readonly task: DemoTask<Subject>;
  readonly subject: Subject;
  readonly qid: string;
  readonly known: Readonly<Record<string, ParameterDocument>>;
}): TaskResultDocument {
  const { run, task, subject, qid, known } = job;
  const mishap = mishapOf(task.name, qid, run.day);
  const executionId = executionIdOf(run);
  const taskId = taskIdOf('demo', executionId, task.name, qid);
  const startAt = new Date(
    run.startAt.getTime() +
      task.atMinute * MINUTE_MS +
      Math.floor(between(0, 4 * MINUTE_MS, 'start', task.name, qid)),
  );
  const elapsedMs = Math.floor(between(20_000, 90_000, 'elapsed', task.name, qid, run.day));
  const endAt = new Date(startAt.getTime() + elapsedMs);
  const outputs = afterMishap(task.measure(subject, run.day), mishap).map(
    (measured) => [measured.name, parameterOf(measured, run, executionId, taskId, endAt)] as const,
  );
  const inputs = task.needs.flatMap((name) => {
    const parameter = known[name];
    return parameter === undefined ? [] : [[name, parameter] as const];
  });
  return {
    _id: documentId('task', DEMO_PROJECT, taskId),
    project_id: DEMO_PROJECT,
    username: IMPORT_USERNAME,
    task_id: taskId,
    name: task.name,
    upstream_id: '',
    message: mishap?.kind === 'failed' ? mishap.message : `${task.name} completed`,
    stack_trace: '',
    input_parameters: Object.fromEntries(inputs),
    output_parameters: Object.fromEntries(outputs),
    output_parameter_names: outputs.map(([name]) => name),
    run_parameters: { shots: { value: 1024, value_type: 'int', unit: '', description: 'Shots per point' } },
    quality_metrics: {
      r2: mishap?.kind === 'failed' ? mishap.r2 : 0.96 + 0.035 * uniform('r2', task.name, qid, run.day),
    },
    note: {},
    figure_path: [],
    json_figure_path: [],
    raw_data_path: [],
    start_at: startAt,
    end_at: endAt,
    elapsed_time: elapsedMs / 1000,
    task_type: run.kind,
    qid,
    execution_id: executionId,
    tags: ['daily'],
    chip_id: DEMO_CHIP,
    cooldown_id: cooldownOf(run.day),
    source_task_id: null,
    system_info: { created_at: startAt, updated_at: endAt },
    ...verdictOf(mishap, endAt),
    ...(task.name === 'CheckT1' && qid === DEGRADING_QID && run.day === DEMO_DAYS - 1
      ? { ai_review_note: aiReviewOf(endAt) }
      : {}),
  };
}

function verdictOf(mishap: Mishap | null, endAt: Date) {
  const excluded = mishap?.kind === 'excluded' ? mishap.reason : null;
  return {
    status: mishap?.kind === 'failed' ? ('failed' as const) : ('completed' as const),
    import_doubt: '',
    user_note:
      excluded === null ? NO_NOTE : { content: excluded, updated_by: PEOPLE.operator, updated_at: endAt },
    excluded: excluded !== null,
    excluded_reason: excluded ?? '',
    excluded_by: excluded === null ? '' : PEOPLE.operator,
    excluded_at: excluded === null ? null : endAt,
  };
}

function parameterOf(
  measured: Measured,
  run: Run,
  executionId: string,
  taskId: string,
  at: Date,
): ParameterDocument {
  return {
    parameter_name: measured.name,
    qid_role: run.kind === 'coupling' ? 'coupling' : '',
    value: measured.value,
    value_type: 'float',
    error: measured.error,
    unit: measured.unit,
    description: '',
    calibrated_at: at,
    execution_id: executionId,
    task_id: taskId,
  };
}

/** What the control software was set to, in the form in which QDash keeps it: machine data, not remarks. */
function machineNote(
  run: Run,
  current: ReadonlyMap<string, Readonly<Record<string, ParameterDocument>>>,
  version: number,
): CalibrationNoteDocument {
  const executionId = executionIdOf(run);
  const rabi = DEMO_QUBITS.map(({ qid }) => {
    const data = current.get(qid);
    return [
      `Q${qid.padStart(2, '0')}`,
      {
        amplitude: data?.['rabi_amplitude']?.value ?? null,
        frequency: data?.['rabi_frequency']?.value ?? null,
      },
    ] as const;
  });
  const timestamp = new Date(run.startAt.getTime() + 55 * MINUTE_MS);
  return {
    _id: documentId('note', DEMO_PROJECT, executionId),
    project_id: DEMO_PROJECT,
    username: IMPORT_USERNAME,
    chip_id: DEMO_CHIP,
    execution_id: executionId,
    task_id: 'master',
    note: { rabi_params: Object.fromEntries(rabi) },
    version,
    timestamp,
    system_info: { created_at: timestamp, updated_at: timestamp },
  };
}
