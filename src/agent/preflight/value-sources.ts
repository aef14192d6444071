import type { Chip } from '../../domain/chip/chip.ts';
import type { AnswerValue, ValueRecord } from '../../domain/conversation/answer-values.ts';
import { qidLabel } from '../../domain/qid.ts';
import type { ParameterValue } from '../../domain/values/parameter-value.ts';
import type { Loaders } from '../../services/loaders/loaders.ts';
import type { CalibrationServices } from '../../services/calibration/calibration-services.ts';

/** Where a value of an answer came from, as far as known. */
export type ValueSource = {
  readonly qid: string;
  readonly parameter: string;
  readonly label: string;
  readonly title: string;
  readonly taskName: string | null;
  readonly taskId: string | null;
  readonly executionId: string | null;
  readonly measuredAt: Date | null;
  /** Reported by the control system; it has no task, execution or result. */
  readonly isLive: boolean;
  /** Its result was excluded, so that it is not what is compared. */
  readonly isExcluded: boolean;
  /** A newer value has been stored since, which is the one compared. */
  readonly isReplaced: boolean;
};

/** Loaders and defaults. Chips are those of the viewer's project. */
export type SourceReads = {
  readonly metrics: CalibrationServices['metrics'];
  readonly loaders: Pick<
    Loaders,
    'chip' | 'qubitsOfChip' | 'couplingsOfChip' | 'qubitParameters' | 'couplingParameters' | 'taskResult'
  >;
  /** The chip of results that name none. */
  readonly chipId: string | null;
  /** When the answer was given; it cannot be based on later measurements. */
  readonly answeredAt: Date;
};

/**
 * The sources of values, in order. What the result lacks of a record is read from that record: by its task result, or
 * from the stored value where this is the same one.
 */
export function sourcesOf(
  values: readonly AnswerValue[],
  reads: SourceReads,
): Promise<readonly ValueSource[]> {
  return Promise.all(values.map((value) => sourceOf(value, reads)));
}

async function sourceOf(value: AnswerValue, reads: SourceReads): Promise<ValueSource> {
  const { metrics, loaders, answeredAt } = reads;
  const chipId = value.chipId ?? reads.chipId;
  const chip = chipId === null ? null : await loaders.chip.load(chipId);
  const stored = chip && (await storedOf(value, chip, reads));
  const storedAt = stored?.calibratedAt ?? null;
  const isReplaced = storedAt !== null && storedAt > (value.record.measuredAt ?? answeredAt);
  const record =
    stored !== null && !isReplaced && isOf(stored, value.record) ? ofStored(stored) : value.record;
  const task = record.taskId === null ? null : await loaders.taskResult.load(record.taskId);
  const scope = value.qid.includes('-') ? 'COUPLING' : 'QUBIT';
  return {
    qid: value.qid,
    parameter: value.parameter,
    label: qidLabel(value.qid, chip?.size ?? 0),
    title: metrics.find(value.parameter, scope)?.title ?? value.parameter,
    taskName: task?.name ?? null,
    taskId: record.taskId,
    executionId: record.executionId ?? task?.executionId ?? null,
    measuredAt: record.measuredAt ?? task?.endAt ?? task?.startAt ?? null,
    isLive: record.source === 'LIVE',
    isExcluded: task?.excluded === true,
    isReplaced,
  };
}

/** Whether a stored value is the row that a result names by its task result or its time, or that it does not name. */
function isOf(stored: ParameterValue, { source, taskId, measuredAt }: ValueRecord): boolean {
  if (source === 'LIVE') return false;
  if (taskId !== null) return stored.taskId === taskId;
  return measuredAt === null || stored.calibratedAt?.getTime() === measuredAt.getTime();
}

const ofStored = ({ taskId, executionId, calibratedAt }: ParameterValue): ValueRecord => ({
  source: 'STORED',
  taskId,
  executionId,
  measuredAt: calibratedAt,
});

async function storedOf(
  { qid, parameter }: AnswerValue,
  chip: Chip,
  { loaders }: SourceReads,
): Promise<ParameterValue | null> {
  const { qubitsOfChip, couplingsOfChip, qubitParameters, couplingParameters } = loaders;
  if (qid.includes('-')) {
    const coupling = (await couplingsOfChip.load(chip)).find(({ couplingId }) => couplingId === qid);
    return named(coupling ? await couplingParameters.load(coupling) : [], parameter);
  }
  const qubit = (await qubitsOfChip.load(chip)).find((each) => each.qid === qid);
  return named(qubit ? await qubitParameters.load(qubit) : [], parameter);
}

const named = (parameters: readonly ParameterValue[], wanted: string): ParameterValue | null =>
  parameters.find(({ name }) => name === wanted) ?? null;
