/** What was run, written, derived and laid out. */
import { normaliseQid } from '../../../src/domain/qid.ts';
import type { LabRecord } from './lab-record.ts';
import { byTool, ofChip, ofQubit, type Question } from './question.ts';

type Output = { value: number; scale: number };
type ToolRuns = {
  results: { task_id: string; qid: string; excluded?: boolean; output_parameters: { t1: Output } }[];
};
type GraphqlRuns = {
  taskResults: {
    nodes: {
      taskId: string;
      excluded: boolean;
      outputParameters: { name: string; displayValue: number }[];
    }[];
  };
};

/** Of the fixture, the qubit with an excluded result, where it has one. */
const historyQubit = ({ subject, runs }: LabRecord): string =>
  runs.find(({ excluded }) => excluded)?.qid ?? subject;

const counted = (words: readonly string[]): object =>
  Object.fromEntries([...Map.groupBy(words, (word) => word)].map(([word, { length }]) => [word, length]));

/** Remarks on the chip itself first. */
const inOrder = (subjects: readonly (string | null)[]): readonly string[] =>
  subjects.map((subject) => subject ?? '').toSorted();

/** What each quoted remark is about: `On t1 of Q02: “…”`, `On the chip: “…”`. */
const quotedSubjects = (summary: string): readonly (string | null)[] =>
  [...summary.matchAll(/^On ([^:]+): “/gmu)].map(([, about = '']) => {
    const [label] = /Q\d+(?:-Q\d+)?$/u.exec(about) ?? [];
    return label === undefined ? null : normaliseQid(label);
  });

export const QUESTIONS_ABOUT_RECORDS: readonly Question[] = [
  {
    asked: 'What did the completed T1 runs of this qubit give, newest first, and which of them do not count?',
    expected: (lab) =>
      lab.runs
        .filter(
          ({ task, qid, status }) =>
            task === 'CheckT1' && qid === historyQubit(lab) && status === 'completed',
        )
        .toSorted((a, b) => b.endAt.getTime() - a.endAt.getTime())
        .map(({ t1, excluded }) => [t1, excluded]),
    overGraphql: (lab) =>
      ofChip<GraphqlRuns>(
        `taskResults(filter: { taskName: "CheckT1", qid: "${historyQubit(lab)}", status: [COMPLETED] }) {
          nodes { excluded outputParameters { name displayValue } }
        }`,
        ({ taskResults: { nodes } }) =>
          nodes.map(({ excluded, outputParameters }) => [outputParameters[0]!.displayValue, excluded]),
      ),
    byTool: (lab) =>
      byTool<ToolRuns>(
        'get_task_history',
        { task_name: 'CheckT1', qid: historyQubit(lab) },
        ({ data: { results } }) =>
          results.map(({ output_parameters: { t1 }, excluded }) => [t1.value * t1.scale, excluded ?? false]),
      ),
  },
  {
    asked: 'Which runs failed?',
    expected: ({ runs }) => runs.filter(({ status }) => status === 'failed').map(({ taskId }) => taskId),
    overGraphql: () =>
      ofChip<GraphqlRuns>(
        'taskResults(filter: { status: [FAILED] }) { nodes { taskId } }',
        ({ taskResults }) => taskResults.nodes.map(({ taskId }) => taskId),
      ),
    byTool: () =>
      byTool<ToolRuns>('search_task_results', { status: 'failed' }, ({ data: { results } }) =>
        results.map(({ task_id }) => task_id),
      ),
  },
  {
    asked: 'How did the executions end?',
    expected: ({ executionStatuses }) => counted(executionStatuses),
    overGraphql: () =>
      ofChip<{ executions: { nodes: { status: string }[] } }>(
        'executions { nodes { status } }',
        ({ executions: { nodes } }) => counted(nodes.map(({ status }) => status.toLowerCase())),
      ),
    byTool: () =>
      byTool<{ executions: { status: string }[] }>('get_execution_history', {}, ({ data: { executions } }) =>
        counted(executions.map(({ status }) => status)),
      ),
  },
  {
    asked: 'Which versions of T1 does this qubit have, and which one holds now?',
    expected: ({ versions, subject }) =>
      versions
        .filter(({ qid }) => qid === subject)
        .toSorted((a, b) => b.version - a.version)
        .map(({ version, value, isCurrent }) => [version, value, isCurrent]),
    overGraphql: ({ subject }) =>
      ofQubit<{ lineage: { version: number; value: number; validUntil: string | null }[] }>(
        subject,
        'lineage(parameter: "t1") { version value validUntil }',
        ({ lineage }) =>
          lineage.map(({ version, value, validUntil }) => [version, value, validUntil === null]),
      ),
    byTool: ({ subject }) =>
      byTool<{ versions: { version: number; value: number; valid_until: string }[] }>(
        'get_parameter_lineage',
        { parameter_name: 't1', qid: subject },
        ({ data: { versions } }) =>
          versions.map(({ version, value, valid_until }) => [version, value, valid_until === '']),
      ),
  },
  {
    asked: 'What did people remark on?',
    expected: ({ remarks }) => inOrder(remarks),
    overGraphql: () =>
      ofChip<{ humanNotes: { qid: string | null }[] }>('humanNotes { qid }', ({ humanNotes }) =>
        inOrder(humanNotes.map(({ qid }) => qid)),
      ),
    byTool: () =>
      byTool<object>('get_calibration_notes', { kind: 'human', last_n: 50 }, ({ formattedSummary }) =>
        inOrder(quotedSubjects(formattedSummary)),
      ),
  },
  {
    asked: 'Which qubits is this one coupled to?',
    expected: ({ neighbours, subject }) => neighbours[subject],
    overGraphql: ({ subject }) =>
      ofQubit<{ neighbors: { qid: string }[] }>(subject, 'neighbors { qid }', ({ neighbors }) =>
        neighbors.map(({ qid }) => qid),
      ),
    byTool: ({ subject }) =>
      byTool<{ qubits: { qid: string; neighbors: string[] }[] }>(
        'get_chip_topology',
        {},
        ({ data: { qubits } }) => qubits.find(({ qid }) => qid === subject)?.neighbors,
      ),
  },
  {
    asked: 'Which parameters are stored?',
    expected: ({ parameters }) => parameters,
    overGraphql: () =>
      ofChip<{ parameterNames: string[] }>('parameterNames', ({ parameterNames }) => parameterNames),
    byTool: () =>
      byTool<{ parameters: { name: string }[] }>(
        'list_available_parameters',
        {},
        ({ data: { parameters } }) => parameters.map(({ name }) => name),
      ),
  },
];
