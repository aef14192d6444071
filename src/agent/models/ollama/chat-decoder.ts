import { randomUUID } from 'node:crypto';
import type { FinishReason, ModelEvent } from '../../model.ts';
import { createThinkTagFilter } from '../chat/think-tags.ts';
import { linesOf } from '../shared/http.ts';
import { StreamFault } from '../shared/provider-errors.ts';
import { countedUsage } from '../shared/provider-model.ts';
import { chatLine } from './client.ts';

/** What goes back with the next round. */
export type OllamaItem = {
  readonly role: 'assistant';
  readonly content: string;
  readonly thinking?: string;
  readonly tool_calls: readonly OllamaCall[];
};

/** A call: the rest is Ollama's own form and goes back as it came. */
export type OllamaCall = {
  readonly callId: string;
  readonly wire: Readonly<Record<string, unknown>> & { readonly function: object };
};

/** Turns the lines of a streamed chat into model events; a call comes whole. Ends without `finished` where they do. */
export async function* decodeOllamaChat(response: Response): AsyncGenerator<ModelEvent> {
  const filter = createThinkTagFilter();
  const calls: OllamaCall[] = [];
  let text = '';
  let thinking = '';
  for await (const line of linesOf(response)) {
    if (line.trim() === '') continue;
    const { message, done, error, ...end } = chatLine.parse(JSON.parse(line));
    if (error != null) throw new StreamFault(error, 'server_error');
    const { answer: words, thought } = filter.add(message?.content ?? '');
    const thoughts = (message?.thinking ?? '') + thought;
    thinking += message?.thinking ?? '';
    if (thoughts !== '') yield { type: 'thinking', kind: 'thought', text: thoughts };
    text += words;
    if (words !== '') yield { type: 'text', text: words };
    for (const wire of message?.tool_calls ?? []) {
      const { name, arguments: args } = wire.function;
      // Ollama gives ids since 0.12 only, and some of its models give the same one twice.
      const isNew = wire.id != null && wire.id !== '' && !calls.some(({ callId }) => callId === wire.id);
      const callId = isNew ? String(wire.id) : `call_${randomUUID()}`;
      calls.push({ callId, wire });
      yield { type: 'call', call: { callId, name, arguments: JSON.stringify(args ?? {}) } };
    }
    if (done !== true) continue;
    const rest = filter.end();
    text += rest;
    if (rest !== '') yield { type: 'text', text: rest };
    const item: OllamaItem = {
      role: 'assistant',
      content: text,
      ...(thinking !== '' && { thinking }),
      tool_calls: calls,
    };
    yield {
      type: 'finished',
      reason: finishReason(end.done_reason ?? 'stop', calls.length),
      usage: countedUsage({
        inputTokens: end.prompt_eval_count ?? 0,
        outputTokens: end.eval_count ?? 0,
        cachedTokens: 0,
      }),
      items: [item],
    };
    return;
  }
}

function finishReason(reason: string, calls: number): FinishReason {
  // `load` and `unload` end an answer to nothing, which is an answer that stopped.
  if (reason === 'length') return 'length';
  return calls > 0 ? 'calls' : 'stop';
}
