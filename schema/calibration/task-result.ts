import type { Chip as DomainChip } from '../../src/domain/chip/chip.ts';
import { figureUrl, type FigureAddress } from '../../src/domain/records/figure.ts';
import type { TaskResultFilter as DomainFilter } from '../../src/domain/values/task-result.ts';
import { builder } from '../builder.ts';
import { pageArgs, pageSize, PAGE_SIZE, toConnection } from '../connections.ts';
import type { GraphQLContext } from '../context.ts';
import { TaskStatusEnum } from '../enums.ts';
import { Chip, ParameterValue, Qubit, TaskResult } from '../refs.ts';
import { chipOf } from './chip-parts.ts';

const Figure = builder.objectRef<FigureAddress & { readonly label: string }>('Figure').implement({
  description: 'A picture that a task made.',
  fields: (t) => ({
    label: t.exposeString('label', {
      description: '`marked` or `raw` where the name of its file says so, else numbered.',
    }),
    url: t.string({
      description: 'Path on this server that answers with the picture.',
      resolve: (figure) => figureUrl(figure),
    }),
  }),
});

builder.node(TaskResult, {
  description: 'One run of a calibration task on one qubit or coupling.',
  id: { resolve: ({ taskId }) => taskId },
  loadWithoutCache: (taskId, { loaders }) => loaders.taskResult.load(taskId),
  fields: (t) => ({
    taskId: t.exposeString('taskId', { description: 'Its id in the lab.' }),
    name: t.exposeString('name', { description: 'Class of the task, for example `CheckT1`.' }),
    chip: t.field({
      type: Chip,
      description: 'The chip it ran on.',
      resolve: (it, _args, context) => chipOf(it, context),
    }),
    qid: t.exposeString('qid', {
      description: 'Qubit (`12`), coupling (`4-1`), or empty for tasks of the whole system.',
    }),
    status: t.expose('status', { type: TaskStatusEnum, description: 'How it ended, or that it has not.' }),
    executionId: t.exposeString('executionId', { description: 'The execution it belongs to.' }),
    startAt: t.expose('startAt', { type: 'DateTime', nullable: true, description: 'When it started.' }),
    endAt: t.expose('endAt', { type: 'DateTime', nullable: true, description: 'When it ended.' }),
    elapsedSeconds: t.exposeFloat('elapsedSeconds', {
      nullable: true,
      description: 'How long it took, in seconds.',
    }),
    message: t.exposeString('message', { description: 'What the task reported; may be empty.' }),
    inputParameters: t.field({
      type: [ParameterValue],
      description: 'What it started from.',
      resolve: ({ inputParameters }) => [...inputParameters],
    }),
    outputParameters: t.field({
      type: [ParameterValue],
      description: 'What it measured.',
      resolve: ({ outputParameters }) => [...outputParameters],
    }),
    runParameters: t.expose('runParameters', {
      type: 'JSON',
      nullable: true,
      description: 'Settings of the run as stored.',
    }),
    qualityMetrics: t.expose('qualityMetrics', {
      type: 'JSON',
      nullable: true,
      description: 'Quality of the fit as stored, for example R².',
    }),
    figures: t.field({
      type: [Figure],
      description: 'Its pictures; none where the server has no folder of calibration files.',
      resolve: (result, _args, { services }) => {
        const { projectId, taskId } = result;
        return services.figures.list(result).map((figure) => ({ ...figure, projectId, taskId }));
      },
    }),
    notes: t.stringList({ description: 'What people wrote about it.', resolve: ({ notes }) => [...notes] }),
    excluded: t.exposeBoolean('excluded', {
      description: 'True when people left it out of every statistic; it stays visible.',
    }),
    tags: t.stringList({ description: 'Tags of people and programs.', resolve: ({ tags }) => [...tags] }),
  }),
});

const TaskResultFilter = builder.inputType('TaskResultFilter', {
  description: 'Narrows a list of task results; everything given must hold.',
  fields: (t) => ({
    taskName: t.string({ required: false, description: 'Class of the task, for example `CheckT1`.' }),
    qid: t.string({ required: false, description: 'Qubit or coupling.' }),
    status: t.field({ type: [TaskStatusEnum], required: false, description: 'Any of these.' }),
    executionId: t.string({ required: false, description: 'The execution it belongs to.' }),
    from: t.field({ type: 'DateTime', required: false, description: 'Started at this moment or later.' }),
    to: t.field({ type: 'DateTime', required: false, description: 'Started before this moment.' }),
    includeExcluded: t.boolean({
      required: false,
      description: 'Whether excluded results are listed; default true.',
    }),
  }),
});

const TaskResultConnection = builder.connectionObject(
  { type: TaskResult, name: 'TaskResultConnection', description: 'A page of task results, newest first.' },
  { name: 'TaskResultEdge', description: 'A task result with its cursor.' },
);

builder.objectField(Chip, 'taskResults', (t) =>
  t.field({
    type: TaskResultConnection,
    description: 'Task results on this chip, newest first.',
    complexity: ({ first }) => ({ field: 1, multiplier: first ?? PAGE_SIZE }),
    args: {
      filter: t.arg({ type: TaskResultFilter, required: false, description: 'Only some.' }),
      ...pageArgs(),
    },
    resolve: (chip, args, context) => resultsPage(chip, args, context),
  }),
);

builder.objectField(Qubit, 'taskResults', (t) =>
  t.field({
    type: TaskResultConnection,
    description: 'Task results of this qubit, newest first.',
    complexity: ({ first }) => ({ field: 1, multiplier: first ?? PAGE_SIZE }),
    args: {
      filter: t.arg({
        type: TaskResultFilter,
        required: false,
        description: 'Only some; its `qid` is ignored.',
      }),
      ...pageArgs(),
    },
    resolve: async (qubit, { filter, ...page }, context) =>
      resultsPage(await chipOf(qubit, context), { ...page, filter: { ...filter, qid: qubit.qid } }, context),
  }),
);

builder.queryField('taskResult', (t) =>
  t.field({
    type: TaskResult,
    nullable: true,
    description: 'One task result; null when the project of the request has none of that id.',
    args: { taskId: t.arg.string({ description: 'Its id in the lab.' }) },
    resolve: (_root, { taskId }, { loaders }) => loaders.taskResult.load(taskId),
  }),
);

type PageArgs = {
  readonly filter?: FilterInput | null | undefined;
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
};

type FilterInput = typeof TaskResultFilter.$inferInput;

async function resultsPage(
  chip: DomainChip,
  { filter, first, after }: PageArgs,
  { services }: GraphQLContext,
) {
  const page = await services.taskResults.page(chip, {
    filter: filter ? toFilter(filter) : null,
    first: pageSize(first),
    after: after ?? null,
  });
  return toConnection(page, after);
}

/** Absent and null mean the same here. */
function toFilter(input: FilterInput): DomainFilter {
  return {
    taskName: input.taskName ?? null,
    qid: input.qid ?? null,
    status: input.status ?? null,
    executionId: input.executionId ?? null,
    from: input.from ?? null,
    to: input.to ?? null,
    includeExcluded: input.includeExcluded ?? null,
  };
}
