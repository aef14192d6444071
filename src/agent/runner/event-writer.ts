import type { TurnActivity } from '../../domain/conversation/turn-activity.ts';
import type { AppendResult, EventBatch } from '../../stores/pg/event-batches.ts';
import { retryWhileUnavailable } from '../../stores/pg/unavailable.ts';
import { dropAtWindowEnd, sendAtWindowEnd } from '../pace.ts';
import { EventGatherer } from './event-batch.ts';

/** Another process closed the turn, so nothing more can be added to it. */
export class TurnLostError extends Error {}

type Settings = {
  readonly turn: Pick<EventBatch, 'sessionId' | 'turnId' | 'owner'>;
  append(batch: EventBatch): Promise<AppendResult>;
  /** How many read what is appended, in this process. */
  readonly viewers: () => number;
  /** A cancel was requested; may be called several times. */
  onCancelRequested(): void;
  /**
   * Nothing can be written any more: TurnLostError, or the database's error after `retryForMs`. Called at most once.
   */
  onFailure(error: unknown): void;
  readonly retryForMs: number;
};

/** Text of so many UTF-16 code units does not wait for more. */
const GATHER_LENGTH = 256;

/**
 * Writes the activities of one running turn into the log, in order and without blocking the run. The first text is
 * sent at once, later text at the end of a window of {@link sendAtWindowEnd} or when enough has come, anything else at
 * once, with the text before it. While one batch is in flight the next one is collected.
 */
export function createEventWriter(settings: Settings) {
  const gatherer = new EventGatherer(settings.turn);
  let state: 'open' | 'closed' | 'failed' = 'open';
  let isDue = false;
  let batches = 0;
  let sending: Promise<void> | null = null;

  const sendBatch = async (): Promise<void> => {
    dropAtWindowEnd(flushLate);
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
        await Promise.resolve(); // activities emitted in one go share a batch
        isDue = false;
        await sendBatch();
      }
    } catch (error) {
      state = 'failed';
      isDue = false;
      dropAtWindowEnd(flushLate);
      settings.onFailure(error);
    } finally {
      sending = null;
    }
  };
  /** Resolves when everything emitted before is stored, or the writer has failed. */
  const flush = async (): Promise<void> => {
    if (state === 'failed') return;
    isDue = true;
    sending ??= sendWhileDue();
    await sending;
  };
  const flushLate = (): void => void flush();

  return {
    /** Accepts activities until the writer is closed or has failed; later ones are ignored. */
    emit: (activity: TurnActivity): void => {
      if (state !== 'open') return;
      const isFirstText = !gatherer.hasText;
      gatherer.add(activity);
      const canWait =
        activity.type === 'thinking'
          ? activity.durationMs === undefined && gatherer.unsentThinkingLength < GATHER_LENGTH
          : activity.type === 'text' && !isFirstText && gatherer.unsentLength < GATHER_LENGTH;
      if (canWait) sendAtWindowEnd(flushLate, settings.viewers);
      else void flush();
    },
    flush,
    /** Accepts nothing more, then flushes. */
    async close(): Promise<void> {
      if (state === 'open') {
        gatherer.endText();
        state = 'closed';
      }
      await flush();
    },
  };
}
