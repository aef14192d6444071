/**
 * A model that says what it is told to say, for tests: deterministic, no network, no time. Each request takes the next
 * step of the script; what was asked is kept for inspection, and fails the test where a real provider would refuse it.
 */
import type { Model, ModelCall, ModelEvent, ModelRequest } from '../../src/agent/model.ts';
import { checkRequest } from './strict/requests.ts';

/** One thing a scripted step does: an event, a failure thrown at that place, or something to wait for. */
export type ScriptedPart = ModelEvent | Error | ((signal: AbortSignal) => Promise<void>);

/** What one request is answered with. A missing `finished` is added: `calls` after a call, `stop` otherwise. */
export type ScriptedStep = readonly ScriptedPart[] | ((request: ModelRequest) => readonly ScriptedPart[]);

/** A scripted model and the requests it was asked, oldest first. */
export type ScriptedModel = Model & { readonly requests: readonly ModelRequest[] };

/** Text in pieces of `chunkLength` UTF-16 code units, as a stream would bring it. */
export function say(text: string, chunkLength = 8): ModelEvent[] {
  const pieces = Math.ceil(text.length / chunkLength);
  return Array.from({ length: pieces }, (_, index) => ({
    type: 'text',
    text: text.slice(index * chunkLength, (index + 1) * chunkLength),
  }));
}

/** A complete call; arguments given as text are sent as they are, so that broken JSON can be scripted. */
export function callTool(name: string, args: object | string = {}, callId = `call_${name}`): ModelEvent {
  const call: ModelCall = { callId, name, arguments: typeof args === 'string' ? args : JSON.stringify(args) };
  return { type: 'call', call };
}

/**
 * A model that answers its requests with `steps` in order. A request beyond the last step throws: a test that asks
 * more often than it scripted is wrong. Steps may be functions of the request.
 */
export function createScriptedModel(steps: readonly ScriptedStep[], name = 'scripted'): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    name,
    provider: 'scripted',
    requests,
    stream(request, signal) {
      const step = steps[requests.length];
      requests.push(request);
      if (step === undefined) throw new Error(`the script of ${name} has only ${steps.length} steps`);
      return checked(request, typeof step === 'function' ? step(request) : step, signal);
    },
  };
}

async function* checked(
  request: ModelRequest,
  parts: readonly ScriptedPart[],
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  await checkRequest(request);
  yield* play(parts, signal);
}

async function* play(parts: readonly ScriptedPart[], signal: AbortSignal): AsyncGenerator<ModelEvent> {
  const items: ModelEvent[] = [];
  let finished = false;
  for (const part of parts) {
    signal.throwIfAborted();
    if (part instanceof Error) throw part;
    if (typeof part === 'function') {
      await untilSettledOrAborted(part(signal), signal);
      continue;
    }
    finished = part.type === 'finished';
    if (part.type === 'call' || part.type === 'text') items.push(part);
    yield part;
  }
  signal.throwIfAborted();
  if (finished) return;
  const reason = items.some((item) => item.type === 'call') ? 'calls' : 'stop';
  yield { type: 'finished', reason, usage: { inputTokens: 10, outputTokens: 5, cachedTokens: 0 }, items };
}

function untilSettledOrAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onAbort = () => reject(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  work.then(resolve, reject);
  return promise.finally(() => signal.removeEventListener('abort', onAbort));
}
