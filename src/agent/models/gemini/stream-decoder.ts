import { randomUUID } from 'node:crypto';
import type { FinishReason, ModelEvent, ModelUsage } from '../../model.ts';
import { faultIn, HttpFault, linesOf } from '../shared/http.ts';
import { StreamFault } from '../shared/provider-errors.ts';
import { countedUsage } from '../shared/provider-model.ts';
import { geminiEvent, type GeminiPart } from './client.ts';

type Event = ReturnType<typeof geminiEvent.parse>;

/** Ids of calls that Gemini gave none; they do not go back to it. */
export const OWN_ID = 'own_';

type Decoding = {
  readonly parts: GeminiPart[];
  calls: number;
  usage: ModelUsage | null;
};

/** Turns the API's stream into model events; a call comes whole. Ends without `finished` where the stream does. */
export async function* decodeGemini(response: Response): AsyncGenerator<ModelEvent> {
  const state: Decoding = { parts: [], calls: 0, usage: null };
  for await (const event of eventsOf(response)) {
    state.usage = usageOf(event) ?? state.usage;
    const [candidate] = event.candidates ?? [];
    for (const part of candidate?.content?.parts ?? []) yield* readPart(state, part);
    const reason = candidate?.finishReason ?? event.promptFeedback?.blockReason ?? null;
    if (reason === null) continue;
    if (FAILED.has(reason)) {
      throw new StreamFault(candidate?.finishMessage ?? `it ended with ${reason}`, reason.toLowerCase());
    }
    yield {
      type: 'finished',
      reason: REASONS.get(reason) ?? (state.calls > 0 ? 'calls' : 'stop'),
      usage: state.usage,
      items: state.parts,
    };
    return;
  }
}

async function* eventsOf(response: Response): AsyncGenerator<Event> {
  for await (const line of linesOf(response)) {
    if (!line.startsWith('data:')) continue;
    const event = geminiEvent.parse(JSON.parse(line.slice(5)));
    if (event.error != null) throw new HttpFault(faultIn(JSON.stringify({ error: event.error })));
    yield event;
  }
}

function* readPart(state: Decoding, part: GeminiPart): Generator<ModelEvent> {
  const { text, thought, functionCall } = part;
  keep(state.parts, part);
  if (functionCall != null) {
    state.calls += 1;
    const { id, name, args } = functionCall;
    const callId = id == null || id === '' ? `${OWN_ID}${randomUUID()}` : id;
    yield { type: 'call', call: { callId, name, arguments: JSON.stringify(args ?? {}) } };
  } else if (text != null && text !== '') {
    if (thought === true) yield { type: 'thinking', kind: 'summary', text };
    else yield { type: 'text', text };
  }
}

/**
 * Parts go back as they came, signatures at the very part that had them. Pieces of text without one are joined; summaries
 * of thoughts are for people, and Gemini wants only their signatures back.
 */
function keep(parts: GeminiPart[], part: GeminiPart): void {
  const isSigned = part.thoughtSignature != null;
  if (part.thought === true && !isSigned) return;
  if (!isSigned && part.text === '') return;
  const last = parts.at(-1);
  const isPlain = (each: GeminiPart | undefined) =>
    each !== undefined && each.text != null && each.thoughtSignature == null && each.thought !== true;
  if (isPlain(part) && isPlain(last)) parts.splice(-1, 1, { ...last, text: `${last?.text}${part.text}` });
  else parts.push(part);
}

/** What ends an answer otherwise than by a stop; reasons that came after this was written are normal ends. */
const REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['MAX_TOKENS', 'length'],
  ...[
    'SAFETY',
    'RECITATION',
    'LANGUAGE',
    'BLOCKLIST',
    'PROHIBITED_CONTENT',
    'SPII',
    'IMAGE_SAFETY',
    'OTHER',
    'BLOCK_REASON_UNSPECIFIED',
  ].map((reason) => [reason, 'filtered'] as const),
]);

/** The model wrote a call that cannot be read, or its answer was lost: asked again, it does better. */
const FAILED: ReadonlySet<string> = new Set([
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MISSING_THOUGHT_SIGNATURE',
]);

function usageOf({ usageMetadata: counted }: Event): ModelUsage | null {
  if (counted == null) return null;
  return countedUsage({
    inputTokens: counted.promptTokenCount ?? 0,
    outputTokens: (counted.candidatesTokenCount ?? 0) + (counted.thoughtsTokenCount ?? 0),
    cachedTokens: counted.cachedContentTokenCount ?? 0,
  });
}
