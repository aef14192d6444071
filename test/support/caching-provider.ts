/**
 * A model server that counts cached input as its provider does, from the requests that it is sent: OpenAI reads the
 * longest prefix it has seen, in steps of 128 tokens from 1,024 on, Gemini from 4,096 on (its docs name no steps: whole
 * tokens here); Anthropic reads and writes what is marked. Ollama keeps the longest prefix in memory and counts nothing.
 */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { OLLAMA_MODEL } from './model-access.ts';
import { startModelServer, type ModelServer } from './model-server.ts';
import { bodyOf, type Said, type SaidUsage, type WireKind } from './wire-bodies.ts';

type Json = Record<string, unknown>;

/** A part of a prompt as the provider reads it, and whether a cache mark ends it. */
type Segment = { readonly text: string; readonly isMarked: boolean };

/** What a request is read as: tools, then instructions, then messages, without ids and marks that are no input. */
export function promptSegments(kind: WireKind, request: Json): readonly Segment[] {
  const tools = (request['tools'] ?? []) as readonly Json[];
  return [...tools, ...instructionsOf(kind, request), ...messagesOf(kind, request)].map((part) => {
    const { cache_control, id, status: _status, ...read } = part;
    // The id of an output item is no input; that of a call is.
    const kept = kind === 'anthropic' ? { ...read, ...(id === undefined ? {} : { id }) } : read;
    return { text: JSON.stringify(kept), isMarked: cache_control !== undefined };
  });
}

function instructionsOf(kind: WireKind, request: Json): readonly Json[] {
  if (kind === 'gemini') return [request['systemInstruction'] as Json];
  if (kind === 'responses') return [{ instructions: request['instructions'] }];
  return kind === 'anthropic' ? (request['system'] as readonly Json[]) : [];
}

function messagesOf(kind: WireKind, request: Json): readonly Json[] {
  if (kind === 'chat' || kind === 'ollama') return request['messages'] as readonly Json[];
  if (kind === 'responses') return (request['input'] as readonly Json[]).map(plainMessage);
  const messages = (request[kind === 'gemini' ? 'contents' : 'messages'] ?? []) as readonly Json[];
  return messages.flatMap(({ role, content, parts }) =>
    ((content ?? parts) as readonly Json[]).map((block) => ({ role, ...block })),
  );
}

/** A message that the model wrote is the same input as an item and as text. */
function plainMessage(item: Json): Json {
  if (item['type'] !== 'message') return item;
  const content = item['content'] as readonly { readonly text: string }[];
  return { role: item['role'], content: content.map(({ text }) => text).join('') };
}

/** The part of `earlier` that `later` begins with, from 0 to 1. */
export function sharedShare(earlier: readonly Segment[], later: readonly Segment[]): number {
  const [before, after] = [textOf(earlier), textOf(later)];
  return sharedLength(before, after) / before.length;
}

/** The whole prompt as one text. */
export const textOf = (segments: readonly Segment[]): string => segments.map(({ text }) => text).join('\n');

function sharedLength(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}

/** A running server that also keeps what each request was charged. */
export type CachingServer = ModelServer & { readonly usages: readonly SaidUsage[] };

/** Answers request number `index` with `say(index)`. The caller closes it. */
export async function startCachingServer(
  kind: WireKind,
  say: (index: number, request: Json) => readonly Said[],
): Promise<CachingServer> {
  const usages: SaidUsage[] = [];
  const count = COUNTS[kind]();
  const reply = (index: number, request: Json) => {
    const said = say(index, request);
    const usage = { ...count(promptSegments(kind, request)), output: countTokens(JSON.stringify(said)) };
    usages.push(usage);
    return { body: bodyOf(kind, said, 'end', usage) };
  };
  const server = await startModelServer(reply, OLLAMA_MODEL);
  return Object.assign(server, { usages });
}

type CountedInput = Omit<SaidUsage, 'output'>;

function prefixCount(step: number, least: number): (segments: readonly Segment[]) => CountedInput {
  const seen: string[] = [];
  return (segments) => {
    const prompt = textOf(segments);
    const shared = Math.max(0, ...seen.map((each) => sharedLength(each, prompt)));
    seen.push(prompt);
    const steps = Math.floor(countTokens(prompt.slice(0, shared)) / step) * step;
    const cached = steps >= least ? steps : 0;
    return { fresh: countTokens(prompt) - cached, cached, written: 0 };
  };
}

const COUNTS: Readonly<Record<WireKind, () => (segments: readonly Segment[]) => CountedInput>> = {
  responses: () => prefixCount(128, 1_024),
  chat: () => prefixCount(128, 1_024),
  gemini: () => prefixCount(1, 4_096),
  ollama: () => prefixCount(1, Infinity),
  anthropic: anthropicCount,
};

/** Blocks before a mark at which an earlier mark is looked for. */
const LOOK_BACK = 20;
/** Of Haiku 4.5; shorter prompts are not kept. */
const LEAST_CACHED = 4096;

function anthropicCount(): (segments: readonly Segment[]) => CountedInput {
  const kept = new Set<string>();
  return (segments) => {
    const upTo = (end: number): string => textOf(segments.slice(0, end));
    const marks = segments.flatMap(({ isMarked }, at) => (isMarked ? [at + 1] : []));
    if (marks.length > 4) throw new Error(`${marks.length} cache marks: at most 4 are accepted`);
    const whole = countTokens(upTo(segments.length));
    const found = marks.flatMap((mark) =>
      Array.from({ length: Math.min(LOOK_BACK, mark) }, (_, back) => mark - back).filter((end) =>
        kept.has(upTo(end)),
      ),
    );
    const cached = found.length === 0 ? 0 : countTokens(upTo(Math.max(...found)));
    const marked = marks.length === 0 ? 0 : countTokens(upTo(Math.max(...marks)));
    const written = marked < LEAST_CACHED ? 0 : Math.max(0, marked - cached);
    for (const mark of marks) if (countTokens(upTo(mark)) >= LEAST_CACHED) kept.add(upTo(mark));
    return { fresh: whole - cached - written, cached, written };
  };
}
