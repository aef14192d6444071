/** What the log says of each turn: ids, counts, times, codes and cost; no words of people or models. */
import type { Turn } from '../../domain/conversation/session.ts';
import type { EmitActivity } from '../../domain/conversation/turn-activity.ts';
import type { Logger } from '../../base/log.ts';
import type { StartedTurn } from '../../stores/pg/turn-start.ts';

/** `emit` with a line for each tool call that ends. */
export const loggedTools =
  (log: Logger, { id, sessionId }: Pick<Turn, 'id' | 'sessionId'>, emit: EmitActivity): EmitActivity =>
  (activity) => {
    emit(activity);
    if (activity.type !== 'tool-finished') return;
    const { callId, tool, status, durationMs, error } = activity.call;
    const line = { turnId: id, sessionId, callId, tool, status, error: error?.code ?? null, ms: durationMs };
    log.info(line, 'a tool was called');
  };

/** The line of a turn that has ended. */
export function logEnd(log: Logger, { session, turn: { createdAt } }: StartedTurn, ended: Turn): void {
  const { id, status, error, model, rounds, usage, startedAt, finishedAt } = ended;
  const started = startedAt ?? createdAt;
  const line = {
    turnId: id,
    sessionId: session.id,
    projectId: session.projectId,
    viewerId: session.viewerId,
    kind: session.kind,
    status,
    error: error?.code ?? null,
    model,
    rounds,
    ...usage,
    waitedMs: started.getTime() - createdAt.getTime(),
    ms: (finishedAt ?? started).getTime() - started.getTime(),
  };
  log.info(line, 'a turn ended');
}
