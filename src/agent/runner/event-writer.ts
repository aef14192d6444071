import type { EmitActivity } from '../../domain/conversation/turn-activity.ts';
import type { AppendResult, EventBatch } from '../../stores/pg/events.ts';
import { retryWhileUnavailable } from '../../stores/pg/unavailable.ts';
import { EventGatherer } from './event-batch.ts';

/** Writes what one running turn does into the log, behind the back of the run and in its order. */
export type EventWriter = {
  /** Takes an activity until the writer is closed or has failed; later ones are passed over. */
  readonly emit: EmitActivity;
  /** Resolves when everything emitted before is stored, or the writer has failed. */
  flush(): Promise<void>;
  /** Takes nothing more, then as {@link flush}. */
  close(): Promise<void>;
};

/** The turn was closed by somebody else, so nothing more can be added to it. */
export class TurnLostError extends Error {}

type Settings = {
  readonly turn: Pick<EventBatch, 'sessionId' | 'turnId' | 'owner'>;
  append(batch: EventBatch): Promise<AppendResult>;
  /** The log says that a cancel was asked for; may be called several times. */
  onCancelRequested(): void;
  /** Nothing can be written any more: TurnLostError, or the database's error after `retryForMs`. Called at most once. */
  onFailure(error: unknown): void;
  readonly retryForMs: number;
};

/** Text is gathered this long, or until it has this many UTF-16 code units. */
const GATHER_MS = 16;
const GATHER_LENGTH = 256;

/**
 * Starts a writer. The first text is sent at once, later text when {@link GATHER_MS} are over or enough has come, anything
 * else at once, with the text before it. While one batch is on its way the next one gathers.
 */
export function createEventWriter(settings: Settings): EventWriter {
  const gatherer = new EventGatherer(settings.turn);
  let state: 'open' | 'closed' | 'failed' = 'open';
  let isDue = false;
  let batches = 0;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | null = null;

  const sendBatch = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const gathered = gatherer.take();
    if (gathered === null) return;
    batches += 1;
    const batch = { ...settings.turn, number: batches, ...gathered };
    const result = await retryWhileUnavailable(() => settings.append(batch), settings.retryForMs);
    if (!result.stored) throw new TurnLostError(`turn ${batch.turnId} was closed by another process`);
    if (result.cancelRequested) settings.onCancelRequested();
  };
  const sendWhileDue = async (): Promise<void> => {
    try {
      while (isDue) {
        await Promise.resolve(); // what is emitted in one go is sent in one batch
        isDue = false;
        await sendBatch();
      }
    } catch (error) {
      state = 'failed';
      isDue = false;
      clearTimeout(timer);
      settings.onFailure(error);
    } finally {
      sending = null;
    }
  };
  const sendNow = async (): Promise<void> => {
    if (state === 'failed') return;
    isDue = true;
    sending ??= sendWhileDue();
    await sending;
  };

  return {
    emit(activity) {
      if (state !== 'open') return;
      const isFirstText = !gatherer.hasText;
      gatherer.add(activity);
      const canWait = activity.type === 'text' && !isFirstText && gatherer.unsentLength < GATHER_LENGTH;
      if (canWait) timer ??= setTimeout(() => void sendNow(), GATHER_MS);
      else void sendNow();
    },
    flush: sendNow,
    async close() {
      if (state === 'open') {
        gatherer.endText();
        state = 'closed';
      }
      await sendNow();
    },
  };
}
