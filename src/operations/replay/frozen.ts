import { signatureOf } from '../../agent/loop/call-round.ts';
import type { PriceOf } from '../../agent/loop/usage-meter.ts';
import {
  ModelError,
  type Model,
  type ModelCall,
  type ModelEvent,
  type ModelInput,
} from '../../agent/model.ts';
import { firstRequest } from '../../agent/watch/step-record.ts';
import type { RecordedTools, StepRecord } from '../../domain/conversation/step-record.ts';
import type { RecordedTurn } from '../../stores/pg/recorded-turn.ts';
import { ConflictError } from '../../base/errors.ts';
import { attemptOf, type Attempt, type AttemptStep } from './attempt.ts';

/** What a frozen replay works with. */
export type FrozenReplay = {
  readonly model: Model;
  readonly records: readonly StepRecord[];
  /** Messages of the user that joined the turn: given behind the first round. */
  readonly joined: RecordedTurn['joined'];
  readonly tools: RecordedTools['schemas'];
  readonly priceOf: PriceOf;
  readonly signal: AbortSignal;
};

/** Model calls; more than a turn may have. */
const MAX_STEPS = 20;

const NOT_RECORDED = JSON.stringify({
  error:
    'This call is not in the record of the turn, so its result is not known. Answer from the results above.',
});

/**
 * Gives the model what the recorded turn began with. No tool runs: calls that were made then are answered with what
 * they gave then, others with that it is not known.
 * @throws ConflictError where the record has not all that was sent
 */
export async function replayFrozen({
  model,
  records,
  joined,
  tools,
  priceOf,
  signal,
}: FrozenReplay): Promise<Attempt> {
  const request = firstRequest(records, tools, 'replay');
  if (request === null) {
    throw new ConflictError(
      'what the model was sent was not kept whole, so it cannot be sent again; use --rebuild, which makes it anew',
    );
  }
  const outputs = recordedOutputs(records);
  const input: ModelInput[] = [...request.input];
  const steps: AttemptStep[] = [];
  for (;;) {
    const isLast = steps.length === MAX_STEPS - 1;
    const toolChoice = isLast ? 'none' : steps.length === 0 ? request.toolChoice : 'auto';
    const { step, items, error } = await ask(model, { ...request, toolChoice, input: [...input] }, signal);
    steps.push(step);
    if (error !== null) return attemptOf(steps, priceOf, error);
    if (step.calls.length === 0 || toolChoice === 'none') return attemptOf(steps, priceOf, null);
    const { calls, text } = step;
    input.push({ type: 'round', provider: model.provider, items, text, calls });
    input.push(
      ...calls.map((call): ModelInput => ({
        type: 'tool-output',
        callId: call.callId,
        output: outputs.get(signature(call)) ?? NOT_RECORDED,
      })),
      ...(steps.length === 1 ? joined.map(({ text }): ModelInput => ({ type: 'user', text })) : []),
    );
  }
}

type Asked = {
  readonly step: AttemptStep;
  readonly items: readonly unknown[];
  readonly error: string | null;
};

async function ask(
  model: Model,
  request: Parameters<Model['stream']>[0],
  signal: AbortSignal,
): Promise<Asked> {
  const startedAt = performance.now();
  const calls: ModelCall[] = [];
  let text = '';
  let refusal = '';
  let end: Extract<ModelEvent, { type: 'finished' }> | null = null;
  let error: string | null = null;
  try {
    for await (const event of model.stream(request, signal)) {
      if (event.type === 'text') text += event.text;
      else if (event.type === 'refusal') refusal += event.text;
      else if (event.type === 'call') calls.push(event.call);
      else if (event.type === 'finished') end = event;
    }
    if (end === null) error = `${model.name} broke off in the middle of its answer`;
  } catch (failure) {
    signal.throwIfAborted();
    if (!(failure instanceof ModelError)) throw failure;
    error = failure.message;
  }
  const durationMs = performance.now() - startedAt;
  const step = { model: model.name, text, refusal, calls, usage: end?.usage ?? null, durationMs, error };
  return { step, items: end?.items ?? [], error };
}

/** What each recorded call gave, by what was asked; the newest where the same was asked twice. */
function recordedOutputs(records: readonly StepRecord[]): ReadonlyMap<string, string> {
  const entries = records.flatMap(({ input }) => input);
  const signatures = new Map(
    entries.flatMap((entry) =>
      entry.type === 'round' ? entry.calls.map((call) => [call.callId, signature(call)] as const) : [],
    ),
  );
  return new Map(
    entries.flatMap((entry) => {
      const asked = entry.type === 'tool-output' ? signatures.get(entry.callId) : undefined;
      return entry.type === 'tool-output' && asked !== undefined ? [[asked, entry.output] as const] : [];
    }),
  );
}

/** The same for arguments that differ in space and order only. */
function signature({ name, arguments: given }: Pick<ModelCall, 'name' | 'arguments'>): string {
  try {
    return signatureOf(name, JSON.parse(given === '' ? '{}' : given));
  } catch {
    return signatureOf(name, given);
  }
}
