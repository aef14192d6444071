import type { Chip } from '../../domain/chip/chip.ts';
import type { LiveCause } from '../../domain/conversation/session-event.ts';
import type { EmitActivity } from '../../domain/conversation/turn-activity.ts';
import type { LiveOutcome, LiveQuota, LiveReading } from '../../domain/live/live-reading.ts';
import { asksForLive } from '../../domain/conversation/message-intent.ts';
import { formatTime } from '../../domain/text/display-text.ts';
import type { LiveSource } from '../../sources/live/live-source.ts';

/** The live source within one turn: read at most once per chip, and its use is reported to the user. */
export type TurnLive = {
  /** False where none is configured; then it is mentioned only to users who ask for it. */
  readonly isSetUp: boolean;
  /** Whether the question asks for live values. */
  readonly isAskedFor: boolean;
  /**
   * All values of a chip. Once per chip, emits an event if stored values have to be used instead. Rejects only when the
   * turn ends, with the reason.
   */
  read(chip: Chip): Promise<LiveOutcome>;
  /** Emits, once per chip, that its live values are used, and why. */
  reportUsed(reading: LiveReading, cause: LiveCause): void;
  /** Calls that are left; null while unknown. */
  quota(chip: Chip): Promise<LiveQuota | null>;
};

/** Opens the live source for one turn; `close` aborts reads in flight. */
export function openTurnLive(options: {
  readonly source: LiveSource;
  readonly question: string;
  readonly emit: EmitActivity;
  readonly signal: AbortSignal;
}): TurnLive & { close(): void } {
  const { source, question, emit } = options;
  const closed = new AbortController();
  const signal = AbortSignal.any([options.signal, closed.signal]);
  const outcomes = new Map<string, Promise<LiveOutcome>>();
  const reported = new Set<string>();

  const read = async (chip: Chip): Promise<LiveOutcome> => {
    const outcome = await source.read(chip, signal);
    if (outcome.type === 'values') return outcome;
    emit({
      type: 'source-fallback',
      from: 'LIVE',
      to: 'SNAPSHOT',
      // A source that refuses this server is unreachable, whatever the cause.
      reason: outcome.type === 'refused' ? 'UNREACHABLE' : outcome.reason,
      text: `The live source of ${chip.chipId} was not used: ${outcome.message}. Stored values are used instead.`,
    });
    return outcome;
  };

  return {
    isSetUp: source.isSetUp,
    isAskedFor: asksForLive(question),
    quota: (chip) => source.quota(chip),
    read(chip) {
      const earlier = outcomes.get(chip.chipId);
      if (earlier !== undefined) return earlier;
      const outcome = read(chip);
      // Nobody may be waiting any more when the turn ends during the read.
      outcome.catch(() => {});
      outcomes.set(chip.chipId, outcome);
      return outcome;
    },
    reportUsed(reading, cause) {
      if (reported.has(reading.chipId)) return;
      reported.add(reading.chipId);
      const text = usedText(reading, cause);
      emit({ type: 'source-fallback', from: 'SNAPSHOT', to: 'LIVE', reason: cause, text });
    },
    close: () => closed.abort(),
  };
}

function usedText({ chipId, readAt }: LiveReading, cause: LiveCause): string {
  return `${causeText(chipId, cause)}; live ones were read ${formatTime(readAt)}.`;
}

function causeText(chipId: string, cause: LiveCause): string {
  switch (cause) {
    case 'USER_REQUESTED':
      return `Values of ${chipId} of this moment were asked for`;
    case 'STALE':
      return `Stored values of ${chipId} are older than they may be`;
    case 'NOT_STORED':
      return `Not every value of ${chipId} that is needed is stored`;
    case 'DISPUTED':
      return `Values of ${chipId} were doubted`;
    default:
      return cause satisfies never;
  }
}
