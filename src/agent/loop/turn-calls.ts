/**
 * The calls of one turn: each call is reported as started and as finished exactly once, counted against the turn's
 * limits, and answered once. Timers and signals, no I/O.
 */
import type { EmitActivity } from '../../domain/conversation/turn-activity.ts';
import type { ModelCall } from '../model.ts';
import type { ToolRegistry } from '../tool-registry.ts';
import type { RoundContext, ToolContext } from '../tool.ts';
import { abortable } from '../../base/abortable.ts';
import { unlessApproved, type ApproveCall } from './call-approval.ts';
import { callsMeant } from './called-tools.ts';
import { createCallRound, signatureOf, type CallRound, type StartedCall } from './call-round.ts';
import { prepareCall, type PreparedCall, type RunnableCall } from './prepare-call.ts';
import { failed, runCall, skipped, stopped, type CallEnding, type CallLimits } from './tool-call.ts';
import type { DrawnVisuals, TurnVisuals } from '../answer/turn-visuals.ts';

/** How often one tool may be called in a turn, and a hint for the model after that. */
export type ToolCallLimit = { readonly calls: number; readonly hint: string };

/** Bounds on the calls of a turn. */
export type TurnCallLimits = CallLimits & {
  readonly callsPerRound: number;
  /** Calls of the same tool with the same arguments; the next one ends tool use. */
  readonly identicalCalls: number;
  readonly toolCalls: Readonly<Record<string, ToolCallLimit>>;
};

type TurnCallsOptions = {
  readonly registry: ToolRegistry;
  /** Called once a round: loaders are fresh for each round and shared by its calls. */
  readonly createContext: () => RoundContext;
  readonly limits: TurnCallLimits;
  readonly visuals: TurnVisuals;
  readonly emit: EmitActivity;
  /** Monotonic, in milliseconds. */
  readonly clock: () => number;
  /** Stops all calls: `TurnTimeUp` when the turn's time is up, any other reason when it was cancelled. */
  readonly signal: AbortSignal;
  /** Asks a person; absent: nobody can be asked. */
  readonly approve?: ApproveCall;
  /** Lets the turn's time stand still until what it returns is called. */
  readonly holdTime: () => () => void;
  /** Ends the recorded id of each call. */
  readonly idSuffix: string;
};

export type TurnCalls = ReturnType<typeof openTurnCalls>;

type TurnCallState = ReturnType<typeof createState>;

const createState = (options: TurnCallsOptions) => ({
  options,
  /** How often each call was made, by its signature. */
  identical: new Map<string, number>(),
  ofTool: new Map<string, number>(),
  ids: new Map<string, number>(),
  /** Ids in the record. */
  recorded: new Set<string>(),
  /** The newest call of each conflict key. */
  lastOfKey: new Map<string, Promise<CallEnding>>(),
  open: new Set<StartedCall>(),
  summaries: [] as string[],
  results: [] as string[],
  repeated: false,
});

/** The calls of one turn; the caller closes them. */
export function openTurnCalls(options: TurnCallsOptions) {
  const state = createState(options);
  return {
    openRound(round: number): CallRound {
      const context = options.createContext();
      const { callsPerRound, onBug } = options.limits;
      const refuse = (call: ModelCall, prepared: PreparedCall, ending: CallEnding): StartedCall =>
        report(state, call, prepared, round, () => Promise.resolve(ending));
      return createCallRound({
        meant: (call) => callsMeant(call, options.registry),
        prepare: (call) => prepareCall(call, options.registry, onBug),
        refuse,
        begin(call, prepared, position) {
          const refused =
            position >= callsPerRound
              ? skipped(`at most ${callsPerRound} calls run in one round; ask again in the next one`)
              : refusal(state, call, prepared);
          if (refused !== null) return refuse(call, prepared, refused);
          if (!prepared.runnable) return refuse(call, prepared, failed('ERROR', prepared.error));
          return report(state, call, prepared, round, (stop, callId) =>
            runInOrder(state, prepared, { ...context, callId }, stop),
          );
        },
      });
    },
    /** Whether a call was made more often than allowed with the same arguments. */
    get repeated() {
      return state.repeated;
    },
    /** Of the results that are drawn, in the order in which their calls ended. */
    summaries: state.summaries as readonly string[],
    /** Summaries of all results, drawn or not. */
    results: state.results as readonly string[],
    /** Stops running calls; every started call is reported as finished before this resolves. */
    async close(): Promise<void> {
      for (const { stop } of state.open) stop.abort();
      await Promise.all([...state.open].map(({ ending }) => ending));
    },
  };
}

/** Why a call is not run, or null. Counts the call. */
function refusal(state: TurnCallState, call: ModelCall, prepared: PreparedCall): CallEnding | null {
  const { identicalCalls, toolCalls } = state.options.limits;
  if (increment(state.identical, signatureOf(call.name, prepared.arguments)) > identicalCalls) {
    state.repeated = true;
    return skipped(`the same call was made ${identicalCalls} times already; use its result`);
  }
  const limit = prepared.runnable ? toolCalls[call.name] : undefined;
  if (limit !== undefined && increment(state.ofTool, call.name) > limit.calls) {
    return skipped(`${call.name} was called ${limit.calls} times in this turn. ${limit.hint}`);
  }
  return null;
}

/** Runs a call after the previous one with the same conflict key. */
async function runInOrder(
  { options, lastOfKey }: TurnCallState,
  call: RunnableCall,
  context: RoundContext & Pick<ToolContext, 'callId'>,
  stop: AbortController,
): Promise<CallEnding> {
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const { limits } = options;
  const run = async () =>
    (await unlessApproved({ ...options, onBug: limits.onBug }, call, context.callId, signal)) ??
    runCall(call, context, limits, signal);
  const key = call.conflictKey;
  if (key === null) return run();
  const before: Promise<unknown> = lastOfKey.get(key) ?? Promise.resolve();
  const ending = abortable(before, signal).then(run, () => stopped(signal.reason));
  lastOfKey.set(key, ending);
  return ending;
}

/** Emits that a call has started, and that it has finished once `end` resolves. */
function report(
  state: TurnCallState,
  { callId: givenId, name: tool }: ModelCall,
  { label, description, arguments: args }: PreparedCall,
  round: number,
  end: (stop: AbortController, callId: string) => Promise<CallEnding>,
): StartedCall {
  const { emit, clock, visuals, idSuffix } = state.options;
  // Some providers restart their numbering in every response; the record of a session needs unique ids.
  let callId: string;
  do {
    const times = increment(state.ids, givenId);
    callId = `${times === 1 ? givenId : `${givenId}#${times}`}${idSuffix}`;
  } while (state.recorded.has(callId));
  state.recorded.add(callId);
  const startedAt = clock();
  emit({ type: 'tool-started', call: { callId, tool, label, description, arguments: args, round } });
  const stop = new AbortController();
  const ending = end(stop, callId).then((ended) => {
    state.open.delete(started);
    const { result } = ended;
    const drawn = result === null ? NOTHING_DRAWN : visuals.draw(result.visuals, result.source);
    if (result !== null && result.formattedSummary !== '') state.results.push(result.formattedSummary);
    if (result !== null && drawn.visuals.length > 0) state.summaries.push(result.formattedSummary);
    const durationMs = Math.round(clock() - startedAt);
    emit({ type: 'tool-finished', call: { callId, tool, durationMs, ...describeEnd(ended, drawn) } });
    return ended;
  });
  const started: StartedCall = { stop, ending };
  state.open.add(started);
  return started;
}

const NOTHING_DRAWN: DrawnVisuals = { visuals: [], leftOut: [] };

function describeEnd({ status, result, error, resultJson }: CallEnding, { visuals, leftOut }: DrawnVisuals) {
  const preview = result?.preview ?? error?.message ?? '';
  return {
    status,
    dataSource: result?.source ?? null,
    preview: leftOut.length === 0 ? preview : `${preview} (not drawn: ${leftOut.join(', ')})`,
    freshness: result?.freshness ?? null,
    ...(result?.liveFreshness && { liveFreshness: result.liveFreshness }),
    resultJson,
    error,
    visuals,
  };
}

function increment(counts: Map<string, number>, key: string): number {
  const times = (counts.get(key) ?? 0) + 1;
  counts.set(key, times);
  return times;
}
