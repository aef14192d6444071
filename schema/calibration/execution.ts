import type { ExecutionFilter as DomainFilter } from '../../src/domain/records/execution.ts';
import { builder } from '../builder.ts';
import { pageArgs, pageSize, PAGE_SIZE, toConnection } from '../connections.ts';
import { TaskStatusEnum } from '../enums.ts';
import { Chip, Execution } from '../refs.ts';
import { chipOf } from './chip-parts.ts';

builder.node(Execution, {
  description: 'One run of a calibration workflow; many task results belong to it.',
  id: { resolve: ({ executionId }) => executionId },
  loadWithoutCache: (executionId, { loaders }) => loaders.execution.load(executionId),
  fields: (t) => ({
    executionId: t.exposeString('executionId', {
      description: 'Day and number, for example `20260224-003`.',
    }),
    name: t.exposeString('name', { description: 'Name of the workflow.' }),
    chip: t.field({
      type: Chip,
      description: 'The chip it ran on.',
      resolve: (it, _args, context) => chipOf(it, context),
    }),
    status: t.expose('status', { type: TaskStatusEnum, description: 'How it ended, or that it has not.' }),
    tags: t.stringList({ description: 'Tags of people and programs.', resolve: ({ tags }) => [...tags] }),
    startAt: t.expose('startAt', { type: 'DateTime', nullable: true, description: 'When it started.' }),
    endAt: t.expose('endAt', { type: 'DateTime', nullable: true, description: 'When it ended.' }),
    elapsedSeconds: t.exposeFloat('elapsedSeconds', {
      nullable: true,
      description: 'How long it took, in seconds.',
    }),
    message: t.exposeString('message', { description: 'What it reported; may be empty.' }),
  }),
});

const ExecutionFilter = builder.inputType('ExecutionFilter', {
  description: 'Narrows a list of executions; everything given must hold.',
  fields: (t) => ({
    status: t.field({ type: [TaskStatusEnum], required: false, description: 'Any of these.' }),
    tags: t.stringList({ required: false, description: 'All of these.' }),
    from: t.field({ type: 'DateTime', required: false, description: 'Started at this moment or later.' }),
    to: t.field({ type: 'DateTime', required: false, description: 'Started before this moment.' }),
  }),
});

const ExecutionConnection = builder.connectionObject(
  { type: Execution, name: 'ExecutionConnection', description: 'A page of executions, newest first.' },
  { name: 'ExecutionEdge', description: 'An execution with its cursor.' },
);

builder.objectField(Chip, 'executions', (t) =>
  t.field({
    type: ExecutionConnection,
    description: 'Executions on this chip, newest first.',
    complexity: ({ first }) => ({ field: 1, multiplier: first ?? PAGE_SIZE }),
    args: {
      filter: t.arg({ type: ExecutionFilter, required: false, description: 'Only some.' }),
      ...pageArgs(),
    },
    resolve: async (chip, { filter, first, after }, { services }) =>
      toConnection(
        await services.executions.page(chip, {
          filter: filter ? toFilter(filter) : null,
          first: pageSize(first),
          after: after ?? null,
        }),
        after,
      ),
  }),
);

/** Absent and null mean the same here. */
function toFilter(input: typeof ExecutionFilter.$inferInput): DomainFilter {
  const { status = null, tags = null, from = null, to = null } = input;
  return { status, tags, from, to };
}
