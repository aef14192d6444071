import { qidLabel } from '../../src/domain/qid.ts';
import { figureUrl, type FigureAddress } from '../../src/domain/records/figure.ts';
import type { TaskResultFilter as DomainFilter } from '../../src/domain/values/task-result.ts';
import { builder } from '../builder.ts';
import { connectionOf, pageField, readPage } from '../connections.ts';
import { TaskStatusEnum } from '../enums.ts';
import { ROW_READ } from '../read-costs.ts';
import { Chip, ParameterValue, Qubit, TaskResult } from '../refs.ts';
import { chipOf } from './chip-parts.ts';

const Figure = builder.objectRef<FigureAddress & { readonly label: string }>('Figure').implement({
  description: 'A picture produced by a task.',
  fields: (t) => ({
    label: t.exposeString('label', {
      description: '`marked` or `raw` if its file name contains that, else a number.',
    }),
    url: t.string({
      description: 'Path of the picture on this server.',
      resolve: (figure) => figureUrl(figure),
    }),
  }),
});

builder.node(TaskResult, {
  rule: 'viewer: project',
  description: 'A run of a calibration task on a qubit or coupling.',
  id: { resolve: ({ taskId }) => taskId },
  loadWithoutCache: (taskId, { loaders }) => loaders.taskResult.load(taskId),
  fields: (t) => ({
    taskId: t.exposeString('taskId', { description: 'Its id in the lab.' }),
    name: t.exposeString('name', { description: 'Class of the task, for example `CheckT1`.' }),
    chip: t.field({
      type: Chip,
      description: 'Its chip.',
      resolve: (it, _args, context) => chipOf(it, context),
    }),
    qid: t.exposeString('qid', {
      description: 'Qubit (`12`), coupling (`4-1`), or empty for tasks of the whole system.',
    }),
    label: t.string({
      description: 'Name of the qubit or coupling for people, for example `Q12`; empty where `qid` is.',
      resolve: async (it, _args, context) => qidLabel(it.qid, (await chipOf(it, context)).size),
    }),
    status: t.expose('status', { type: TaskStatusEnum, description: 'Its state.' }),
    executionId: t.exposeString('executionId', { description: 'Its execution.' }),
    startAt: t.expose('startAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it started; null if it has not.',
    }),
    endAt: t.expose('endAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ended; null if it has not.',
    }),
    elapsedSeconds: t.exposeFloat('elapsedSeconds', {
      nullable: true,
      description: 'Duration in seconds; null if unknown.',
    }),
    message: t.exposeString('message', { description: 'What the task reported, possibly empty.' }),
    inputParameters: t.field({
      type: [ParameterValue],
      description: 'Parameters that it started from.',
      resolve: ({ inputParameters }) => [...inputParameters],
    }),
    outputParameters: t.field({
      type: [ParameterValue],
      description: 'Parameters that it measured.',
      resolve: ({ outputParameters }) => [...outputParameters],
    }),
    runParameters: t.expose('runParameters', {
      type: 'JSON',
      nullable: true,
      description: 'Settings of the run as stored; null for none.',
    }),
    qualityMetrics: t.expose('qualityMetrics', {
      type: 'JSON',
      nullable: true,
      description: 'Quality of the fit as stored, for example R²; null for none.',
    }),
    figures: t.field({
      type: [Figure],
      description: 'Its pictures; empty if the server has no folder of calibration files.',
      resolve: (result, _args, { services }) => {
        const { projectId, taskId } = result;
        return services.figures.list(result).map((figure) => ({ ...figure, projectId, taskId }));
      },
    }),
    notes: t.stringList({ description: 'Remarks by people.', resolve: ({ notes }) => [...notes] }),
    importDoubt: t.exposeString('importDoubt', {
      nullable: true,
      description: 'Why the importer that wrote it doubts it; null if it does not.',
    }),
    excluded: t.exposeBoolean('excluded', {
      description: 'Whether people or an importer excluded it from all statistics; it stays visible.',
    }),
    tags: t.stringList({ description: 'Tags set by people and programs.', resolve: ({ tags }) => [...tags] }),
  }),
});

const TaskResultFilter = builder.inputType('TaskResultFilter', {
  description: 'Narrows a list of task results; all conditions must hold.',
  fields: (t) => ({
    taskName: t.string({ required: false, description: 'Class of the task, for example `CheckT1`.' }),
    qid: t.string({ required: false, description: 'Qubit or coupling.' }),
    status: t.field({ type: [TaskStatusEnum], required: false, description: 'Any of these.' }),
    executionId: t.string({ required: false, description: 'Its execution.' }),
    tags: t.stringList({
      required: false,
      description: 'All of these; `import-doubt` for results that an importer doubts.',
    }),
    from: t.field({ type: 'DateTime', required: false, description: 'Started at or after this time.' }),
    to: t.field({ type: 'DateTime', required: false, description: 'Started before this time.' }),
    includeExcluded: t.boolean({
      required: false,
      description: 'Whether to list excluded results; true by default.',
    }),
  }),
});

const TaskResultConnection = connectionOf(TaskResult, 'task results, newest first');

const page = pageField();
/** Pages of many qubits are read together. */
const pageOfQubit = pageField({ read: ROW_READ });

builder.objectField(Chip, 'taskResults', (t) =>
  t.field({
    type: TaskResultConnection,
    description: 'Task results on this chip, newest first.',
    complexity: page.complexity,
    args: {
      filter: t.arg({ type: TaskResultFilter, required: false, description: 'Only matching ones.' }),
      ...page.args,
    },
    resolve: (chip, { filter, ...args }, { services }) =>
      readPage(args, (request) =>
        services.taskResults.page(chip, { ...request, filter: filter ? toFilter(filter) : null }),
      ),
  }),
);

builder.objectField(Qubit, 'taskResults', (t) =>
  t.field({
    type: TaskResultConnection,
    description: 'Task results of this qubit, newest first.',
    complexity: pageOfQubit.complexity,
    args: {
      filter: t.arg({
        type: TaskResultFilter,
        required: false,
        description: 'Only matching ones; its `qid` is ignored.',
      }),
      ...pageOfQubit.args,
    },
    resolve: (qubit, { filter, ...args }, { loaders }) => {
      const { qid: _, ...wanted } = toFilter(filter ?? {});
      return readPage(args, (request) =>
        loaders.taskResultsOfQubit.load({ qubit, page: { ...request, filter: wanted } }),
      );
    },
  }),
);

builder.queryField('taskResult', (t) =>
  t.field({
    rule: 'viewer: project',
    type: TaskResult,
    nullable: true,
    description: "A task result; null if the request's project does not have it.",
    args: { taskId: t.arg.string({ description: 'Its id in the lab.' }) },
    resolve: (_root, { taskId }, { loaders }) => loaders.taskResult.load(taskId),
  }),
);

/** Absent and null mean the same. */
function toFilter(input: typeof TaskResultFilter.$inferInput): DomainFilter {
  return {
    taskName: input.taskName ?? null,
    qid: input.qid ?? null,
    status: input.status ?? null,
    executionId: input.executionId ?? null,
    tags: input.tags ?? null,
    from: input.from ?? null,
    to: input.to ?? null,
    includeExcluded: input.includeExcluded ?? null,
  };
}
