/** What the log says of each turn, and the metrics count: ids, counts, times, codes and cost; no words of people or models. */
import type { Turn } from '../../domain/conversation/session.ts';
import type { EmitActivity } from '../../domain/conversation/turn-activity.ts';
import type { Logger } from '../../base/log.ts';
import { modelLabel, toolCalls, turns } from '../../base/metrics.ts';
import { TOOL_CATALOGUE } from '../../domain/tool-catalogue.ts';
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
    const label = TOOLS.has(tool) ? tool : 'other';
    toolCalls.ended.inc({ tool: label, status });
    toolCalls.seconds.observe({ tool: label }, (durationMs ?? 0) / 1000);
  };

/** Names of the tools that there are; a model may make up others. */
const TOOLS: ReadonlySet<string> = new Set(TOOL_CATALOGUE.map(({ name }) => name));

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
  const { kind } = session;
  const name = modelLabel(usage?.model ?? model);
  turns.ended.inc({ kind, status, model: name });
  turns.seconds.observe({ kind, status }, line.ms / 1000);
  turns.waited.observe({ kind }, line.waitedMs / 1000);
  if (usage === null) return;
  turns.tokens.inc({ model: name, type: 'input' }, usage.inputTokens - usage.cachedTokens);
  turns.tokens.inc({ model: name, type: 'cached' }, usage.cachedTokens);
  turns.tokens.inc({ model: name, type: 'output' }, usage.outputTokens);
  if (usage.costUsd !== null) turns.cost.inc({ model: name }, usage.costUsd);
}
