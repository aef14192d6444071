/** The state of a turn as the result of a call: its answer, where each number comes from, and what was drawn. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { encodeNodeId } from '../../../schema/node-ids.ts';
import { NotFoundError } from '../../base/errors.ts';
import { GROUNDING_STATUSES } from '../../domain/grounding/grounded-number.ts';
import {
  TURN_STATUSES,
  type Message,
  type StoredVisual,
  type ToolCall,
  type Viewer,
} from '../../domain/conversation/session.ts';
import { sourceOfCall } from '../../domain/pictures/source.ts';
import type { JsonObject } from '../../domain/visuals.ts';
import type { CopilotService } from '../../services/copilot/copilot.ts';
import type { MessageNumbers } from '../../services/copilot/message-numbers.ts';
import { numbersOf } from '../chat/turn-parts.ts';
import { contentOf, type LinkedVisual, type PictureDeps } from './chart-pictures.ts';

export type AnswerDeps = PictureDeps & {
  readonly copilot: CopilotService;
  readonly messageNumbers: MessageNumbers;
};

/** Most numbers that are listed with their sources; the page behind the link has all. */
const MOST_NUMBERS = 60;

const TEXT_OR_NULL = { type: ['string', 'null'] } as const;

export const ANSWER_SCHEMA = {
  type: 'object',
  properties: {
    status: {
      type: 'string',
      enum: TURN_STATUSES,
      description: 'RUNNING, QUEUED: call again with turn and cursor',
    },
    answer: { ...TEXT_OR_NULL, description: 'Markdown; null without one' },
    numbers: {
      type: 'array',
      description: 'Numbers of the answer in their order',
      items: {
        type: 'object',
        properties: {
          text: { type: 'string' },
          unit: TEXT_OR_NULL,
          status: { type: 'string', enum: GROUNDING_STATUSES },
          tool: { ...TEXT_OR_NULL, description: 'Whose result has it' },
          record: { ...TEXT_OR_NULL, description: 'Task result, qubit or coupling that it was read from' },
          measured_at: TEXT_OR_NULL,
        },
        required: ['text', 'status'],
      },
    },
    tools: { type: 'array', items: { type: 'string' }, description: 'Calls behind the answer' },
    error: { type: ['object', 'null'], description: 'code, message, retryable' },
    session: { type: 'string', description: 'Give it to continue the conversation' },
    turn: { type: 'string' },
    cursor: { type: 'integer', description: 'Place in the log of the conversation' },
    link: { type: 'string', description: 'The conversation in the browser' },
    model: TEXT_OR_NULL,
  },
  required: ['status', 'answer', 'numbers', 'session', 'turn', 'cursor', 'link'],
} as const satisfies JsonObject;

/** Who reads the answer, where their pages are, and whether they want pictures. */
type Reader = { readonly viewer: Viewer; readonly pages: string; readonly withPictures: boolean };

/** @throws NotFoundError */
export async function answerOf(
  deps: AnswerDeps,
  { viewer, pages, withPictures }: Reader,
  turnId: string,
  cursor: number,
): Promise<CallToolResult> {
  const { copilot, messageNumbers } = deps;
  const [turn] = await copilot.byId.turns(viewer, [turnId]);
  if (!turn) throw new NotFoundError('the conversation was deleted');
  const [message = null] = turn.answerId ? await copilot.byId.messages(viewer, [turn.answerId]) : [];
  const [[calls = []], [numbers = []], visuals] = await Promise.all([
    copilot.toolCallsOfTurns(viewer, [turnId]),
    messageNumbers.ofMessages(viewer, message ? [message] : []),
    visualsOf(copilot, viewer, message),
  ]);
  const session = encodeNodeId('CopilotSession', turn.sessionId);
  const result: JsonObject = {
    status: turn.status,
    answer: message?.text ?? null,
    numbers: numbersOf({ numbers: numbers.slice(0, MOST_NUMBERS), calls }),
    tools: calls.map(({ tool, description, status }) => {
      return `${tool}: ${description}${status === 'OK' ? '' : ` (${status})`}`;
    }),
    error: turn.error,
    session,
    turn: encodeNodeId('Turn', turnId),
    cursor,
    link: `${pages}/copilot/${session}`,
    model: message?.model ?? null,
  };
  return {
    ...(turn.status === 'FAILED' && { isError: true }),
    content: [
      { type: 'text', text: JSON.stringify(result) },
      ...(await contentOf(deps, viewer, visuals.map(withSource(calls)), withPictures)),
    ],
    structuredContent: result,
  };
}

/** Charts and tables in their order in the answer. */
async function visualsOf(copilot: CopilotService, viewer: Viewer, message: Message | null) {
  const blocks = message?.blocks ?? [];
  const chartIds = blocks.flatMap((block) => (block.type === 'chart' ? [block.chartId] : []));
  const tableIds = blocks.flatMap((block) => (block.type === 'table' ? [block.tableId] : []));
  const [charts, tables] = await Promise.all([
    copilot.byId.charts(viewer, chartIds),
    copilot.byId.tables(viewer, tableIds),
  ]);
  const byId = new Map([...charts, ...tables].flatMap((each) => (each ? [[each.id, each] as const] : [])));
  return blocks.flatMap((block) => {
    const found = byId.get(
      block.type === 'chart' ? block.chartId : block.type === 'table' ? block.tableId : '',
    );
    return found ? [found] : [];
  });
}

/** A stored chart or table with what its call says of it. */
const withSource =
  (calls: readonly ToolCall[]) =>
  (visual: StoredVisual): LinkedVisual => ({
    id: visual.id,
    visual,
    source: sourceOfCall(calls.find(({ callId }) => callId === visual.callId)),
  });
