import type { ModelCall, ModelInput } from '../model.ts';
import type { PreparedCall, RunnableCall } from './prepare-call.ts';
import { failed, skipped, type CallEnding } from './tool-call.ts';

/** The calls of one response of the model. */
export type CallRound = {
  /** Starts a call, at once unless one with the same conflict key runs. */
  start(call: ModelCall): void;
  /** Forgets the calls of a broken stream; a call that comes again takes over what its twin has begun. */
  restart(): void;
  readonly calls: readonly ModelCall[];
  /** Every output, in call order, once all calls have finished. Stops what {@link restart} left behind. */
  outputs(): Promise<readonly ModelInput[]>;
};

/** A call that was told as started; `ending` resolves after it was told as finished, and never rejects. */
export type StartedCall = { readonly stop: AbortController; readonly ending: Promise<CallEnding> };

/** What a round asks of its turn. */
export type CallRoundOptions = {
  readonly callsPerRound: number;
  readonly prepare: (call: ModelCall) => PreparedCall;
  /** Why the turn's limits or the check of its arguments keep a call from running, or null. Counts the call. */
  readonly refusal: (call: ModelCall, prepared: PreparedCall) => CallEnding | null;
  readonly refuse: (call: ModelCall, prepared: PreparedCall, ending: CallEnding) => StartedCall;
  readonly run: (call: ModelCall, prepared: RunnableCall & PreparedCall) => StartedCall;
};

type Entry = { readonly call: ModelCall; readonly signature: string; readonly started: StartedCall };

/** An empty round. */
export function createCallRound(options: CallRoundOptions): CallRound {
  let entries: Entry[] = [];
  let leftBehind: Entry[] = [];

  /** The begun twin of a call, taken from those that a broken stream left behind. */
  function takeTwin(signature: string): Entry | null {
    const twin = leftBehind.find((left) => left.signature === signature);
    if (twin === undefined) return null;
    leftBehind = leftBehind.filter((left) => left !== twin);
    return twin;
  }

  return {
    start(call) {
      const prepared = options.prepare(call);
      if (entries.some((entry) => entry.call.callId === call.callId)) {
        options.refuse(call, prepared, sameId(call.callId));
        return;
      }
      const signature = signatureOf(call.name, prepared.arguments);
      const started = takeTwin(signature)?.started ?? begin(call, prepared, entries.length, options);
      entries.push({ call, signature, started });
    },
    restart() {
      leftBehind.push(...entries);
      entries = [];
    },
    get calls() {
      return entries.map(({ call }) => call);
    },
    async outputs() {
      for (const { started } of leftBehind) started.stop.abort();
      await Promise.all(leftBehind.map(({ started }) => started.ending));
      return Promise.all(entries.map(outputOf));
    },
  };
}

function begin(
  call: ModelCall,
  prepared: PreparedCall,
  before: number,
  options: CallRoundOptions,
): StartedCall {
  const refused =
    before >= options.callsPerRound
      ? skipped(`at most ${options.callsPerRound} calls run in one round; ask again in the next one`)
      : options.refusal(call, prepared);
  if (refused !== null) return options.refuse(call, prepared, refused);
  if (!prepared.runnable) return options.refuse(call, prepared, failed('ERROR', prepared.error));
  return options.run(call, prepared);
}

async function outputOf({ call, started }: Entry): Promise<ModelInput> {
  const { output } = await started.ending;
  return { type: 'tool-output', callId: call.callId, output };
}

const sameId = (callId: string): CallEnding =>
  failed('ERROR', {
    code: 'DUPLICATE_CALL',
    message: `a second call with the id ${callId}; only the first one is answered`,
    retryable: false,
  });

/** What makes two calls identical: the tool and its arguments, whatever the order of their keys. */
export function signatureOf(tool: string, args: unknown): string {
  const sorted = JSON.stringify(args, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return `${tool} ${sorted}`;
}
