import type { Chip } from '../../domain/chip/chip.ts';
import type { LiveCause } from '../../domain/conversation/session-event.ts';
import type { EmitActivity } from '../../domain/conversation/turn-activity.ts';
import type { LiveOutcome, LiveQuota, LiveReading } from '../../domain/live/live-reading.ts';
import { asksForLive } from '../../domain/live/live-request.ts';
import { formatTime } from '../../domain/text/display-text.ts';
import type { LiveSource } from '../../sources/live/live-source.ts';

/** The live source as one turn asks it: at most once a chip, whoever asks how often, and told when it mattered. */
export type TurnLive = {
  /** False where none is configured; then only who asks for it by name hears so. */
  readonly isSetUp: boolean;
  /** The user's own words ask for live values. */
  readonly isAskedFor: boolean;
  /**
   * All values of a chip. That stored values must stand in for them is told as an event, once a chip.
   * Rejects only when the turn ends, with the reason.
   */
  read(chip: Chip): Promise<LiveOutcome>;
  /** Tells, once a chip, that live values of it are used, and why. */
  tellUsed(reading: LiveReading, cause: LiveCause): void;
  /** Calls that are left; null while nobody can tell. */
  quota(chip: Chip): Promise<LiveQuota | null>;
};

/** Opens the live source for one turn; `close` ends what is still being asked. */
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
  const told = new Set<string>();

  const ask = async (chip: Chip): Promise<LiveOutcome> => {
    const outcome = await source.read(chip, signal);
    if (outcome.type === 'values') return outcome;
    emit({
      type: 'source-fallback',
      from: 'LIVE',
      to: 'SNAPSHOT',
      // A source that lets nobody in cannot be reached by this server, whatever the cause.
      reason: outcome.type === 'refused' ? 'UNREACHABLE' : outcome.reason,
      text: `The live source of ${chip.chipId} was not used: ${outcome.message}. Stored values stand in.`,
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
      const outcome = ask(chip);
      // Nobody may be waiting any more when the turn ends while the source is asked.
      outcome.catch(() => {});
      outcomes.set(chip.chipId, outcome);
      return outcome;
    },
    tellUsed(reading, cause) {
      if (told.has(reading.chipId)) return;
      told.add(reading.chipId);
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
