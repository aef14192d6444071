/** The values of a table as QDash documents: the table is one execution, every value a task result. */
import { couplingEnds } from '../../domain/qid.ts';
import type { ChipDocument, ChipImport, TaskResultDocument } from '../documents.ts';
import {
  entityOf,
  executionIdOf,
  executionOf,
  parameterOf,
  resultOf,
  type ImportSource,
} from '../measured-documents.ts';
import type { CsvValue } from './row-values.ts';
import type { TableSurvey } from './table-survey.ts';
import type { ChipRequest, TargetChip } from './target-chip.ts';

/**
 * Documents of at least one value. Values of the same qubit, parameter, task and time that are equal are the
 * same measurement, whichever table lists them and in whichever unit. Pure.
 * @param values - reads the values that were surveyed, in the same order
 */
export function csvDocuments(
  survey: TableSurvey,
  values: () => Iterable<CsvValue>,
  fileName: string,
  chip: TargetChip,
  layout: ChipDocument['layout'],
  { projectId, chipId }: ChipRequest,
): ChipImport {
  const [since, until] = [new Date(survey.oldest), new Date(survey.newest)];
  const source: ImportSource = {
    projectId,
    chipId,
    executionId: executionIdOf(until, chipId, 'csv', survey.ids.fingerprint(fileName).slice(0, 8)),
    name: fileName,
    tags: ['import', 'csv'],
    since,
    until,
  };
  const entity = (collection: 'qubit' | 'coupling') => (qid: string) => {
    const current = [...(survey.current.get(qid) ?? [])].map(
      ([name, { value, taskId }]) =>
        [name, parameterOf(value, source, taskId, value.written.parameter)] as const,
    );
    return entityOf(collection, qid, Object.fromEntries(current), source, layout?.[qid]?.name);
  };
  const ends = [...survey.couplings].flatMap((id) => couplingEnds(id) ?? []);
  const qids = new Set([...chip.newQids, ...survey.qubits, ...ends]);
  return {
    chip: chip.documentWith(qids, layout, since, until),
    qubits: [...qids].map(entity('qubit')),
    couplings: [...survey.couplings].map(entity('coupling')),
    executions: [
      executionOf(source, {
        name: `Table ${fileName}`,
        note: { source: 'csv', file: fileName },
        message: `${survey.count} values, each measured at its own time`,
      }),
    ],
    taskResults: { [Symbol.iterator]: () => resultsOf(survey, values(), source, fileName) },
    calibrationNotes: [],
    parameterVersions: [],
    provenanceRelations: [],
    provenanceActivities: [],
  };
}

function* resultsOf(
  { ids }: TableSurvey,
  values: Iterable<CsvValue>,
  source: ImportSource,
  fileName: string,
): Generator<TaskResultDocument, void> {
  let index = 0;
  for (const value of values) {
    if (!ids.repeats(index)) {
      yield resultOf(value, source, {
        taskId: ids.at(index),
        description: value.written.parameter,
        note: { source: 'csv', file: fileName, ...value.written },
      });
    }
    index += 1;
  }
}
