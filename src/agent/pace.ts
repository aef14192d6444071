/**
 * Windows of time in which text is gathered, shared by all turns of the process: at the end of one, what models sent in
 * it is decoded, then all writers send, so that one commit and one write for each viewer take many tokens.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Length of a window where one turn writes for one viewer. */
const GATHER_MS = 16;
/** Where more is delivered it is longer: 20 answers, or one with 20 viewers, make 24 ms of it, 121 the most. */
const GATHER_MS_A_DELIVERY = 0.4;
const MOST_GATHER_MS = 64;
/** Turns of the event loop in which bytes that were held pass through the decoders to the writers. */
const DECODING_TURNS = 3;

/** Length of a window after one at whose end so many texts were delivered, each to one viewer. */
export const gatherMs = (deliveries: number): number =>
  Math.min(MOST_GATHER_MS, GATHER_MS + Math.max(0, deliveries - 1) * GATHER_MS_A_DELIVERY);

/** Writers whose text waits, and how many viewers each has. */
const writers = new Map<() => void, () => number>();
let timer: NodeJS.Timeout | undefined;
let isEnding = false;
let ending: PromiseWithResolvers<null> | null = null;
let deliveriesBefore = 1;

/** Resolves at the end of the window that is open, or begins now. */
export function windowEnd(): Promise<null> {
  ending ??= Promise.withResolvers();
  begin();
  return ending.promise;
}

/** Calls `send` at the end of the window, behind what {@link windowEnd} lets go. */
export function sendAtWindowEnd(send: () => void, viewers: () => number): void {
  writers.set(send, viewers);
  begin();
}

/** Takes back {@link sendAtWindowEnd}. */
export const dropAtWindowEnd = (send: () => void): void => void writers.delete(send);

function begin(): void {
  if (timer === undefined && !isEnding) timer = setTimeout(() => void end(), gatherMs(deliveriesBefore));
}

async function end(): Promise<void> {
  timer = undefined;
  isEnding = true;
  ending?.resolve(null);
  if (ending !== null) {
    ending = null;
    for (let turn = 0; turn < DECODING_TURNS; turn += 1) await nextTurn();
  }
  const senders = [...writers];
  writers.clear();
  deliveriesBefore = senders.reduce((sum, [, viewers]) => sum + Math.max(1, viewers()), 0);
  isEnding = false;
  if (ending !== null) begin();
  for (const [send] of senders) send();
}
