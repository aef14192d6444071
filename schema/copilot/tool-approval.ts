/** Calls that change something outside of this server, which a person has to approve. */
import type {
  ApprovalState,
  ToolApproval as DomainApproval,
} from '../../src/domain/conversation/tool-approval.ts';
import { builder } from '../builder.ts';
import { enumOf } from '../enums.ts';
import { objectResult } from '../errors.ts';
import { keyOf } from '../node-ids.ts';
import { ToolCall } from '../refs.ts';

export const ToolApprovalStateEnum = enumOf<ApprovalState>(
  'ToolApprovalState',
  'What was decided about a call. It is made only if it is approved, once, while its turn runs.',
  {
    WAITING: 'Nobody has decided.',
    APPROVED: 'A person approved it.',
    DECLINED: 'A person declined it.',
    EXPIRED: 'Nobody decided in time.',
  },
);

export const ToolApproval = builder.objectRef<DomainApproval>('ToolApproval').implement({
  description: 'What a person has to decide, or decided, about a call.',
  fields: (t) => ({
    state: t.expose('state', { type: ToolApprovalStateEnum, description: 'What was decided.' }),
    server: t.exposeString('server', { description: 'Name of the MCP server that would be called.' }),
    serverTool: t.exposeString('tool', { description: 'The tool, by its name at the server.' }),
    until: t.field({
      type: 'DateTime',
      description: 'When it is too late to decide.',
      resolve: ({ until }) => new Date(until),
    }),
    decidedBy: t.exposeString('decidedBy', {
      nullable: true,
      description: 'Id of the person who decided; null for none.',
    }),
    decidedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was decided, or was too late; null before.',
      resolve: ({ decidedAt }) => (decidedAt === null ? null : new Date(decidedAt)),
    }),
  }),
});

const DecideToolCallInput = builder.inputType('DecideToolCallInput', {
  description: 'A call and the decision about it.',
  fields: (t) => ({
    toolCallId: t.id({ description: 'Id of a ToolCall whose approval is `WAITING`.' }),
    approve: t.boolean({
      description: 'Whether the call may be made, once, with the arguments that it shows.',
    }),
  }),
});

builder.mutationField('decideToolCall', (t) =>
  t.field({
    rule: 'editor: own',
    audit: 'SUBMIT',
    type: objectResult('DecideToolCall', {
      field: 'toolCall',
      type: ToolCall,
      about: 'The call with the decision.',
      description: 'The call is made, or its turn goes on without it.',
      errors: ['NOT_FOUND', 'CONFLICT'],
    }),
    description:
      'Approves or declines a call that changes something outside of this server, in a conversation of the viewer. The first decision counts.',
    args: { input: t.arg({ type: DecideToolCallInput, description: 'The call and the decision.' }) },
    resolve: async (_root, { input: { toolCallId, approve } }, { services, viewer }) => ({
      toolCall: await services.copilot.decideToolCall(viewer, {
        toolCallId: keyOf('ToolCall', toolCallId, ['input', 'toolCallId']),
        approve,
      }),
    }),
  }),
);
