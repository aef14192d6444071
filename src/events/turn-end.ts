import type { Turn } from '../domain/conversation/session.ts';
import { NotFoundError } from '../base/errors.ts';
import type { EventLog } from './event-log.ts';

/** Waits until a turn has ended or its session is gone, but not for longer than `waitMs`. */
export async function untilTurnEnds(
  eventLog: Pick<EventLog, 'follow'>,
  turn: Pick<Turn, 'id' | 'sessionId'>,
  afterSeq: number,
  waitMs: number,
): Promise<void> {
  try {
    for await (const event of eventLog.follow(turn.sessionId, afterSeq, AbortSignal.timeout(waitMs))) {
      if (event.turnId === turn.id && event.type === 'TurnFinishedEvent') return;
    }
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
  }
}
