/**
 * The UI message stream of the AI SDK: a turn as the chunks of one assistant message. Charts, tables and the sources of numbers are
 * data parts (`data-chart`, `data-table`, `data-numbers`). Only the newest message of a user is read of a request: the chat itself is
 * on the server.
 */
import type { UIMessage, UIMessageChunk } from 'ai';
import { z } from 'zod';
import { encodeNodeId } from '../../../schema/node-ids.ts';
import { EFFORTS, type FinalTurnStatus, type Turn } from '../../domain/conversation/session.ts';
import type { JsonObject } from '../../domain/visuals.ts';
import { BROKEN_OFF, type PlacedFrame } from './frames.ts';
import { contentText, imagesOf, type ContentPart } from './message-content.ts';
import type { ThreadMessage } from './thread.ts';
import { numbersOf, type PlacedPart, type TurnEnd, type TurnPart } from './turn-parts.ts';

/** The data parts of a message. */
type Data = {
  status: { readonly phase: string; readonly text: string };
  notice: { readonly text: string };
  chart: JsonObject;
  table: JsonObject;
  'taken-back': { readonly kept: string; readonly reason: string };
  numbers: { readonly numbers: readonly JsonObject[] };
};
type Metadata = {
  readonly session?: string;
  readonly turn?: string;
  readonly link?: string;
  readonly status?: FinalTurnStatus;
  readonly model?: string | null;
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number } | null;
};
export type Chunk = UIMessageChunk<Metadata, Data>;
/** A message as a page has it that follows this stream. */
export type ChatMessage = UIMessage<Metadata, Data>;

const part = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  mediaType: z.string().optional(),
  url: z.string().optional(),
});
const optional = z.string().max(200).nullish();

/** What `DefaultChatTransport` sends, as far as it is used, with our settings in its `body`. */
export const chatRequest = z.looseObject({
  id: z.string(),
  messages: z.array(z.looseObject({ id: z.string(), role: z.string(), parts: z.array(part) })),
  trigger: z.enum(['submit-message', 'regenerate-message']).optional(),
  messageId: z.string().nullish(),
  chipId: optional,
  model: optional,
  effort: z.enum(EFFORTS).nullish(),
});
export type ChatRequest = z.infer<typeof chatRequest>;

/** The newest message of the user in a chat; null if there is none. */
export function newestMessage(request: ChatRequest, againAs: string): ThreadMessage | null {
  const users = request.messages.filter(({ role }) => role === 'user');
  const newest = users.at(-1);
  if (newest === undefined) return null;
  const content = newest.parts.map(toPart);
  return {
    threadId: request.id,
    messageId: newest.id,
    isFirst: users.length === 1,
    text: contentText(content),
    images: imagesOf(content),
    chipId: request.chipId ?? null,
    model: request.model ?? null,
    effort: request.effort ?? null,
    againAs: request.trigger === 'regenerate-message' ? againAs : null,
  };
}

function toPart({ type, text, mediaType, url }: z.infer<typeof part>): ContentPart {
  if (type === 'text') return { type, text: text ?? '' };
  const data = /^data:[^,]*;base64,(.*)$/su.exec(url ?? '')?.[1] ?? null;
  return { type: 'file', mediaType: mediaType ?? type, data };
}

export type ChatScope = { readonly turn: Turn; readonly pages: string };

/** The chunks of the message that answers with `turn`. */
export async function* messageChunks(
  { turn, pages }: ChatScope,
  parts: AsyncIterable<PlacedPart>,
): AsyncGenerator<PlacedFrame> {
  const session = encodeNodeId('CopilotSession', turn.sessionId);
  const messageId = encodeNodeId('Turn', turn.id);
  const messageMetadata = { session, turn: messageId, link: `${pages}/copilot/${session}` };
  yield { seq: turn.beforeSeq, data: { type: 'start', messageId, messageMetadata } satisfies Chunk };
  yield { seq: turn.beforeSeq, data: { type: 'start-step' } satisfies Chunk };
  let isEnded = false;
  for await (const { seq, part: one } of parts) {
    isEnded = one.type === 'end';
    for (const data of chunksOf(one)) yield { seq, data };
  }
  const { code, message } = BROKEN_OFF;
  if (!isEnded)
    yield { seq: null, data: { type: 'error', errorText: `${code}: ${message}` } satisfies Chunk };
}

const DYNAMIC = { dynamic: true, providerExecuted: true } as const;

function chunksOf(one: TurnPart): readonly Chunk[] {
  switch (one.type) {
    case 'status':
      return [{ type: 'data-status', data: { phase: one.phase, text: one.text }, transient: true }];
    case 'notice':
      return [{ type: 'data-notice', data: { text: one.text } }];
    case 'thought-start':
      return [{ type: 'reasoning-start', id: one.id }];
    case 'thought-delta':
      return [{ type: 'reasoning-delta', id: one.id, delta: one.text }];
    case 'thought-end':
      return [{ type: 'reasoning-end', id: one.id }];
    case 'text-start':
    case 'text-end':
      return [{ type: one.type, id: one.id }];
    case 'text-delta':
      return [{ type: 'text-delta', id: one.id, delta: one.text }];
    case 'call-start': {
      const { callId: toolCallId, tool: toolName, label: title, arguments: input } = one;
      return [{ type: 'tool-input-available', toolCallId, toolName, title, input, ...DYNAMIC }];
    }
    case 'call-end': {
      const { callId: toolCallId, status, preview, dataSource, freshness, error } = one;
      if (error !== null) {
        const errorText = `${status} ${error.code}: ${error.message}`;
        return [{ type: 'tool-output-error', toolCallId, errorText, ...DYNAMIC }];
      }
      const output = { preview, dataSource, freshness };
      return [{ type: 'tool-output-available', toolCallId, output, ...DYNAMIC }];
    }
    case 'visual': {
      const { type, id, ...visual } = one.visual;
      return [{ type: `data-${type}`, id, data: visual as unknown as JsonObject }];
    }
    case 'taken-back':
      return takenBack(one);
    case 'end':
      return endOf(one.end);
  }
}

/** Nothing of a message can be removed in this protocol, so it says in words what no longer holds, and repeats what does. */
function takenBack({ kept, visualIds, reason }: Extract<TurnPart, { type: 'taken-back' }>): readonly Chunk[] {
  const id = `kept-${kept.length}-${visualIds.join('-')}`;
  return [
    { type: 'data-taken-back', data: { kept, reason } },
    // Data with the id of an earlier part takes its place.
    ...visualIds.map((visualId) => ({ type: 'data-chart', id: visualId, data: { dropped: true } }) as const),
    { type: 'text-start', id },
    { type: 'text-delta', id, delta: `_The answer above was begun anew: ${reason}_\n\n${kept}` },
    { type: 'text-end', id },
  ];
}

function endOf(end: TurnEnd): readonly Chunk[] {
  const { status, error, usage, answer } = end;
  const numbers = numbersOf(end);
  const messageMetadata = {
    status,
    model: answer?.model ?? null,
    usage: usage && { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens },
  };
  const found: readonly Chunk[] = numbers.length > 0 ? [{ type: 'data-numbers', data: { numbers } }] : [];
  if (status === 'FAILED' || status === 'INTERRUPTED') {
    const { code, message } = error ?? { code: status, message: 'the answer broke off' };
    return [
      { type: 'message-metadata', messageMetadata },
      { type: 'error', errorText: `${code}: ${message}` },
    ];
  }
  if (status === 'CANCELLED') {
    const reason = error?.message ?? 'cancelled';
    return [
      { type: 'message-metadata', messageMetadata },
      { type: 'abort', reason },
    ];
  }
  return [...found, { type: 'finish-step' }, { type: 'finish', finishReason: 'stop', messageMetadata }];
}
