/** The values of a table as QDash documents: the table is one execution, every value a task result. */
import { createHash } from 'node:crypto';
import { couplingEnds } from '../../domain/qid.ts';
import { taskIdOf, type ChipDocument, type ChipDocuments } from '../documents.ts';
import {
  currentValues,
  entityOf,
  executionIdOf,
  executionOf,
  resultOf,
  type ImportSource,
} from '../measured-documents.ts';
import type { CsvValue } from './row-values.ts';
import type { ChipRequest, TargetChip } from './target-chip.ts';

/**
 * Documents of at least one value. Values of the same qubit, parameter, task and time that are equal are the
 * same measurement, whichever table lists them and in whichever unit. Pure.
 */
export function csvDocuments(
  values: readonly [CsvValue, ...CsvValue[]],
  fileName: string,
  chip: TargetChip,
  layout: ChipDocument['layout'],
  { projectId, chipId }: ChipRequest,
): ChipDocuments {
  const times = values.map(({ measuredAt }) => measuredAt.getTime());
  const [since, until] = [new Date(least(times)), new Date(-least(times.map((time) => -time)))];
  const taskIds = values.map(({ parameter, task, qid, measuredAt, value }) =>
    taskIdOf('csv', projectId, chipId, parameter, task, qid, measuredAt.toISOString(), String(value)),
  );
  const contents = createHash('sha256')
    .update([fileName, ...taskIds.toSorted()].join('\n'))
    .digest('hex');
  const source: ImportSource = {
    projectId,
    chipId,
    executionId: executionIdOf(until, chipId, 'csv', contents.slice(0, 8)),
    name: fileName,
    tags: ['import', 'csv'],
    since,
    until,
  };
  const taskResults = values.map((value, index) =>
    resultOf(value, source, {
      taskId: taskIds[index] ?? '',
      description: value.written.parameter,
      note: { source: 'csv', file: fileName, ...value.written },
    }),
  );
  const current = currentValues(taskResults);
  const entity = (collection: 'qubit' | 'coupling') => (qid: string) =>
    entityOf(collection, qid, current.get(qid) ?? {}, source, layout?.[qid]?.name);
  const placesOf = (kind: CsvValue['kind']): string[] =>
    values.flatMap((value) => (value.kind === kind ? [value.qid] : []));
  const couplingIds = new Set(placesOf('coupling'));
  const ends = [...couplingIds].flatMap((id) => couplingEnds(id) ?? []);
  const qids = new Set([...chip.newQids, ...placesOf('qubit'), ...ends]);
  return {
    chip: chip.documentWith(qids, layout, since, until),
    qubits: [...qids].map(entity('qubit')),
    couplings: [...couplingIds].map(entity('coupling')),
    executions: [
      executionOf(source, {
        name: `Table ${fileName}`,
        note: { source: 'csv', file: fileName },
        message: `${values.length} values, each measured at its own time`,
      }),
    ],
    taskResults,
    calibrationNotes: [],
    parameterVersions: [],
    provenanceRelations: [],
    provenanceActivities: [],
  };
}

/** Tables are too long for the arguments of `Math.min`. */
const least = (numbers: readonly number[]): number =>
  numbers.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
