import { builder } from '../builder.ts';
import { DataSourceEnum, ToolCallStatusEnum } from '../enums.ts';
import { Freshness, ToolCall, TurnError } from '../refs.ts';
import { ToolApproval } from './tool-approval.ts';

builder.node(ToolCall, {
  rule: 'viewer: shared',
  description: 'The whole record of a tool call; events only have a preview.',
  id: { resolve: ({ id }) => id },
  loadWithoutCache: (id, { loaders }) => loaders.toolCall.load(id),
  fields: (t) => ({
    callId: t.exposeString('callId', { description: 'Joins it to its events, charts and tables.' }),
    tool: t.exposeString('tool', { description: 'Name of the tool.' }),
    label: t.exposeString('label', {
      description: 'What the tool does, for people, for example `Fetching chip summary`.',
    }),
    description: t.exposeString('description', { description: 'What this call does, for people.' }),
    arguments: t.expose('arguments', { type: 'JSON', description: 'Arguments as the model gave them.' }),
    status: t.expose('status', {
      type: ToolCallStatusEnum,
      description: 'Its state.',
    }),
    durationMs: t.exposeInt('durationMs', {
      nullable: true,
      description: 'Duration in milliseconds; null while it runs.',
    }),
    dataSource: t.expose('dataSource', {
      type: DataSourceEnum,
      nullable: true,
      description: 'Where its rows came from; null while it runs and without rows.',
    }),
    preview: t.exposeString('preview', {
      nullable: true,
      description: 'One line about the result; null while it runs.',
    }),
    freshness: t.expose('freshness', {
      type: Freshness,
      nullable: true,
      description: 'Age of its rows; null without rows.',
    }),
    result: t.field({
      type: 'JSON',
      nullable: true,
      description: 'The whole result; null while it runs and without one.',
      resolve: ({ resultJson }): unknown => (resultJson === null ? null : JSON.parse(resultJson)),
    }),
    approval: t.expose('approval', {
      type: ToolApproval,
      nullable: true,
      description: 'What a person decides about it; null for calls that need no approval.',
    }),
    error: t.expose('error', {
      type: TurnError,
      nullable: true,
      description: 'Why it failed; null if it did not.',
    }),
  }),
});
