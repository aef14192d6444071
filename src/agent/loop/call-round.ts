import type { ModelCall, ModelInput } from '../model.ts';
import type { PreparedCall } from './prepare-call.ts';
import { failed, type CallEnding } from './tool-call.ts';

export type CallRound = ReturnType<typeof createCallRound>;

/** A call that was reported as started; `ending` resolves once it was reported as finished, and never rejects. */
export type StartedCall = { readonly stop: AbortController; readonly ending: Promise<CallEnding> };

/** A finished call: its ending is for the server, its input for the model. */
export type EndedCall = { readonly ending: CallEnding; readonly input: ModelInput };

type CallRoundOptions = {
  /** The calls that a call of the model stands for. */
  readonly meant: (call: ModelCall) => readonly ModelCall[];
  readonly prepare: (call: ModelCall) => PreparedCall;
  /** Runs or refuses a call; `position` counts from 0 within the round. */
  readonly begin: (call: ModelCall, prepared: PreparedCall, position: number) => StartedCall;
  readonly refuse: (call: ModelCall, prepared: PreparedCall, ending: CallEnding) => StartedCall;
};

type Entry = { readonly call: ModelCall; readonly signature: string; readonly started: StartedCall };

/** The calls of one response of the model. */
export function createCallRound(options: CallRoundOptions) {
  let entries: Entry[] = [];
  let abandoned: Entry[] = [];

  /** Takes the same call from those that a broken stream abandoned. */
  function takeTwin(signature: string): Entry | null {
    const twin = abandoned.find((entry) => entry.signature === signature);
    if (twin === undefined) return null;
    abandoned = abandoned.filter((entry) => entry !== twin);
    return twin;
  }

  /** Starts a call, at once unless one with the same conflict key runs. */
  function startOne(call: ModelCall): void {
    const prepared = options.prepare(call);
    if (entries.some((entry) => entry.call.callId === call.callId)) {
      options.refuse(call, prepared, sameId(call.callId));
      return;
    }
    const signature = signatureOf(call.name, prepared.arguments);
    const started = takeTwin(signature)?.started ?? options.begin(call, prepared, entries.length);
    entries.push({ call, signature, started });
  }

  return {
    /** Starts a call, or all those that it stands for. */
    start(call: ModelCall): void {
      options.meant(call).forEach(startOne);
    },
    /** Abandons the calls of a broken stream; the same call made again takes over the one that runs. */
    restart(): void {
      abandoned.push(...entries);
      entries = [];
    },
    get calls(): readonly ModelCall[] {
      return entries.map(({ call }) => call);
    },
    /** Every call's output for the model and how the call ended, in call order, once all have finished. Stops abandoned calls. */
    async ended(): Promise<readonly EndedCall[]> {
      for (const { started } of abandoned) started.stop.abort();
      await Promise.all(abandoned.map(({ started }) => started.ending));
      return Promise.all(entries.map(endedCall));
    },
  };
}

async function endedCall({ call, started }: Entry): Promise<EndedCall> {
  const ending = await started.ending;
  return { ending, input: { type: 'tool-output', callId: call.callId, output: ending.output } };
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
