/**
 * AG-UI 1.0: a turn as the events of a run. Texts, thoughts and calls are its own events; charts, tables and the sources of numbers
 * are `CUSTOM` events named `qpilot.…`; what the turn is doing is `state.qpilot`. Only the newest message of a user is read of a
 * run's input: the thread itself is on the server.
 */
import type { EventType, Event as AgUiEvent, Message as AgUiMessage } from '@ag-ui/core';
import { z } from 'zod';
import { encodeNodeId } from '../../../schema/node-ids.ts';
import { EFFORTS, type Message, type Turn } from '../../domain/conversation/session.ts';
import { BROKEN_OFF, type PlacedFrame } from './frames.ts';
import { contentText, imagesOf, type ContentPart } from './message-content.ts';
import type { ThreadMessage } from './thread.ts';
import { numbersOf, type PlacedPart, type TurnEnd, type TurnPart } from './turn-parts.ts';

/** An event with its name as text: the enum of the library is not needed at run time. */
type Wire<Event> = Event extends { readonly type: EventType }
  ? Omit<Event, 'type'> & { readonly type: `${Event['type']}` }
  : never;
export type RunEvent = Wire<AgUiEvent>;

const PROTOCOL_VERSION = '1.0';

const part = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  source: z.looseObject({ type: z.string(), value: z.string(), mimeType: z.string().optional() }).optional(),
});
const message = z.looseObject({
  id: z.string(),
  role: z.string(),
  content: z.union([z.string(), z.array(part)]).nullish(),
});

/** Our own settings of a run. */
const settings = z
  .looseObject({
    chipId: z.string().max(200).nullish(),
    model: z.string().max(200).nullish(),
    effort: z.enum(EFFORTS).nullish(),
    resume: z.boolean().nullish(),
  })
  .nullish();

/** `RunAgentInput`, as far as it is used. */
export const runInput = z.looseObject({
  threadId: z.string(),
  runId: z.string().min(1).max(200),
  state: z.unknown(),
  messages: z.array(message),
  forwardedProps: z.looseObject({ qpilot: settings }).nullish().catch(null),
});
export type RunInput = z.infer<typeof runInput>;

/** The newest message of the user in a run's input; null if there is none. */
export function newestMessage(input: RunInput): ThreadMessage | null {
  const users = input.messages.filter(({ role }) => role === 'user');
  const newest = users.at(-1);
  if (newest === undefined) return null;
  const { chipId, model, effort, resume } = input.forwardedProps?.qpilot ?? {};
  const content = typeof newest.content === 'string' ? [] : (newest.content ?? []).map(toPart);
  return {
    threadId: input.threadId,
    messageId: newest.id,
    isFirst: users.length === 1,
    text: typeof newest.content === 'string' ? newest.content : contentText(content),
    images: imagesOf(content),
    chipId: chipId ?? null,
    model: model ?? null,
    effort: effort ?? null,
    againAs: resume === true ? null : input.runId,
  };
}

const toPart = ({ type, text, source }: z.infer<typeof part>): ContentPart =>
  type === 'text'
    ? { type, text: text ?? '' }
    : {
        type: 'file',
        mediaType: source?.mimeType ?? type,
        data: source?.type === 'data' ? source.value : null,
      };

export type RunScope = { readonly input: RunInput; readonly turn: Turn; readonly pages: string };

/** The events of the run that answers with `turn`. */
export async function* runEvents(
  scope: RunScope,
  parts: AsyncIterable<PlacedPart>,
): AsyncGenerator<PlacedFrame> {
  yield* at(scope.turn.beforeSeq, beginning(scope));
  const inner = { ...scope, built: createTranscript() };
  let isEnded = false;
  for await (const { seq, part: one } of parts) {
    isEnded = one.type === 'end';
    yield* at(seq, eventsOf(one, inner));
  }
  if (!isEnded) yield { seq: null, data: event({ type: 'RUN_ERROR', ...BROKEN_OFF }) };
}

/** The messages of a conversation, then the events of its newest turn; null where that one has ended. */
export async function* connectEvents(
  scope: RunScope,
  messages: readonly Message[],
  parts: AsyncIterable<PlacedPart> | null,
): AsyncGenerator<PlacedFrame> {
  const { input, turn } = scope;
  const snapshot = snapshotOf(messages);
  if (parts === null) {
    const ended = event({ type: 'RUN_FINISHED', ...runOf(input), outcome: { type: 'success' } });
    yield* at(turn.beforeSeq, [...beginning(scope), snapshot, ended]);
    return;
  }
  let isFirst = true;
  for await (const frame of runEvents(scope, parts)) {
    yield frame;
    if (isFirst) yield* at(turn.beforeSeq, [snapshot]);
    isFirst = false;
  }
}

function* at(seq: number, events: readonly RunEvent[]): Generator<PlacedFrame> {
  for (const data of events) yield { seq, data };
}

const runOf = ({ threadId, runId }: RunInput) => ({ threadId, runId });

const ownOf = ({ turn, pages }: RunScope) => {
  const session = encodeNodeId('CopilotSession', turn.sessionId);
  return { session, turn: encodeNodeId('Turn', turn.id), link: `${pages}/copilot/${session}` };
};

function beginning(scope: RunScope): readonly RunEvent[] {
  const { input } = scope;
  const state = isPlain(input.state) ? input.state : {};
  return [
    { type: 'RUN_STARTED', ...runOf(input), protocolVersion: PROTOCOL_VERSION },
    { type: 'STATE_SNAPSHOT', snapshot: { ...state, qpilot: ownOf(scope) } },
  ];
}

const event = (made: RunEvent): RunEvent => made;
const isPlain = (state: unknown): state is object =>
  typeof state === 'object' && state !== null && !Array.isArray(state);

type Scope = RunScope & { readonly built: ReturnType<typeof createTranscript> };

function eventsOf(one: TurnPart, scope: Scope): readonly RunEvent[] {
  const { built } = scope;
  switch (one.type) {
    case 'status': {
      const value = { phase: one.phase, text: one.text };
      return [{ type: 'STATE_DELTA', delta: [{ op: 'add', path: '/qpilot/status', value }] }];
    }
    case 'notice':
      return [{ type: 'CUSTOM', name: 'qpilot.notice', value: { text: one.text } }];
    case 'thought-start':
      built.open(one.id, 'reasoning');
      return [
        { type: 'REASONING_START', messageId: one.id },
        { type: 'REASONING_MESSAGE_START', messageId: one.id, role: 'reasoning' },
      ];
    case 'thought-delta':
      built.grow(one.id, one.text);
      return [{ type: 'REASONING_MESSAGE_CONTENT', messageId: one.id, delta: one.text }];
    case 'thought-end':
      return [
        { type: 'REASONING_MESSAGE_END', messageId: one.id },
        { type: 'REASONING_END', messageId: one.id },
      ];
    case 'text-start':
      built.open(one.id, 'assistant');
      return [{ type: 'TEXT_MESSAGE_START', messageId: one.id, role: 'assistant' }];
    case 'text-delta':
      built.grow(one.id, one.text);
      return [{ type: 'TEXT_MESSAGE_CONTENT', messageId: one.id, delta: one.text }];
    case 'text-end':
      return [{ type: 'TEXT_MESSAGE_END', messageId: one.id }];
    case 'call-start': {
      const { callId, tool, arguments: args } = one;
      built.call(callId, tool, JSON.stringify(args));
      return [
        { type: 'TOOL_CALL_START', toolCallId: callId, toolCallName: tool },
        { type: 'TOOL_CALL_ARGS', toolCallId: callId, delta: JSON.stringify(args) },
        { type: 'TOOL_CALL_END', toolCallId: callId },
      ];
    }
    case 'call-end': {
      const { callId, status, preview, error } = one;
      const content = error === null ? preview : `${status} ${error.code}: ${error.message}`;
      built.result(callId, content);
      return [
        {
          type: 'TOOL_CALL_RESULT',
          messageId: `${callId}.result`,
          toolCallId: callId,
          content,
          role: 'tool',
        },
      ];
    }
    case 'visual': {
      const { type, ...visual } = one.visual;
      return [{ type: 'CUSTOM', name: `qpilot.${type}`, value: visual }];
    }
    case 'taken-back': {
      const { kept, visualIds, reason } = one;
      built.cut(kept.length);
      const messages = [...(scope.input.messages as unknown as AgUiMessage[]), ...built.messages()];
      return [
        { type: 'CUSTOM', name: 'qpilot.taken_back', value: { kept, visualIds, reason } },
        { type: 'MESSAGES_SNAPSHOT', messages },
      ];
    }
    case 'end':
      return endOf(one.end, scope);
  }
}

function endOf(end: TurnEnd, scope: Scope): readonly RunEvent[] {
  const { status, error, usage, answer } = end;
  const spent = usage
    ? [{ model: usage.model, inputTokens: usage.inputTokens, outputTokens: usage.outputTokens }]
    : [];
  if (status === 'FAILED' || status === 'INTERRUPTED') {
    const { code, message: text } = error ?? { code: status, message: 'the answer broke off' };
    return [{ type: 'RUN_ERROR', message: text, code, usage: spent }];
  }
  const result = { ...ownOf(scope), status, answer: answer?.text ?? null, model: answer?.model ?? null };
  const numbers = numbersOf(end);
  return [
    ...(numbers.length > 0 ? [{ type: 'CUSTOM', name: 'qpilot.numbers', value: { numbers } } as const] : []),
    {
      type: 'RUN_FINISHED',
      ...runOf(scope.input),
      result,
      outcome: status === 'CANCELLED' ? { type: 'cancelled' } : { type: 'success' },
      usage: spent,
    },
  ];
}

/** The messages that a client has built from the events of a run, for a snapshot of them. */
function createTranscript() {
  const all: AgUiMessage[] = [];
  const grown = new Map<string, number>();
  const find = (id: string) => all[grown.get(id) ?? -1];
  return {
    messages: (): AgUiMessage[] => all.filter(({ role, content }) => role !== 'assistant' || content !== ''),
    open(id: string, role: 'assistant' | 'reasoning'): void {
      grown.set(id, all.length);
      all.push({ id, role, content: '' });
    },
    grow(id: string, text: string): void {
      const found = find(id);
      if (found?.role === 'assistant' || found?.role === 'reasoning')
        found.content = `${found.content ?? ''}${text}`;
    },
    call(id: string, name: string, args: string): void {
      all.push({
        id,
        role: 'assistant',
        toolCalls: [{ id, type: 'function', function: { name, arguments: args } }],
      });
    },
    result(callId: string, content: string): void {
      all.push({ id: `${callId}.result`, role: 'tool', toolCallId: callId, content });
    },
    /** Keeps so many characters of the answer. */
    cut(length: number): void {
      let left = length;
      for (const each of all) {
        if (each.role !== 'assistant' || typeof each.content !== 'string') continue;
        each.content = each.content.slice(0, left);
        left -= each.content.length;
      }
    },
  };
}

/** A whole conversation, for a client that has none of it. */
const snapshotOf = (messages: readonly Message[]): RunEvent => ({
  type: 'MESSAGES_SNAPSHOT',
  messages: messages.map(({ id, role, text: content }) => ({
    id: encodeNodeId('Message', id),
    role: role === 'USER' ? 'user' : 'assistant',
    content,
  })),
});
