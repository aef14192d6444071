import type { ExecutionFilter as DomainFilter } from '../../src/domain/records/execution.ts';
import { builder } from '../builder.ts';
import { connectionOf, pageField, readPage } from '../connections.ts';
import { TaskStatusEnum } from '../enums.ts';
import { Chip, Execution } from '../refs.ts';
import { chipOf } from './chip-parts.ts';

builder.node(Execution, {
  rule: 'viewer: project',
  description: 'A run of a calibration workflow, with many task results.',
  id: { resolve: ({ executionId }) => executionId },
  loadWithoutCache: (executionId, { loaders }) => loaders.execution.load(executionId),
  fields: (t) => ({
    executionId: t.exposeString('executionId', {
      description: 'Day and number, for example `20260224-003`.',
    }),
    name: t.exposeString('name', { description: 'Name of the workflow.' }),
    chip: t.field({
      type: Chip,
      description: 'Its chip.',
      resolve: (it, _args, context) => chipOf(it, context),
    }),
    status: t.expose('status', { type: TaskStatusEnum, description: 'Its state.' }),
    tags: t.stringList({ description: 'Tags set by people and programs.', resolve: ({ tags }) => [...tags] }),
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
    message: t.exposeString('message', { description: 'What it reported, possibly empty.' }),
  }),
});

const ExecutionFilter = builder.inputType('ExecutionFilter', {
  description: 'Narrows a list of executions; all conditions must hold.',
  fields: (t) => ({
    status: t.field({ type: [TaskStatusEnum], required: false, description: 'Any of these.' }),
    tags: t.stringList({ required: false, description: 'All of these.' }),
    from: t.field({ type: 'DateTime', required: false, description: 'Started at or after this time.' }),
    to: t.field({ type: 'DateTime', required: false, description: 'Started before this time.' }),
  }),
});

const ExecutionConnection = connectionOf(Execution, 'executions, newest first');

const page = pageField();

builder.objectField(Chip, 'executions', (t) =>
  t.field({
    type: ExecutionConnection,
    description: 'Executions on this chip, newest first.',
    complexity: page.complexity,
    args: {
      filter: t.arg({ type: ExecutionFilter, required: false, description: 'Only matching ones.' }),
      ...page.args,
    },
    resolve: (chip, { filter, ...args }, { services }) =>
      readPage(args, (request) =>
        services.executions.page(chip, { ...request, filter: filter ? toFilter(filter) : null }),
      ),
  }),
);

/** Absent and null mean the same. */
function toFilter(input: typeof ExecutionFilter.$inferInput): DomainFilter {
  const { status = null, tags = null, from = null, to = null } = input;
  return { status, tags, from, to };
}
