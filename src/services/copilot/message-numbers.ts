/**
 * Sources of the numbers in answers, derived on read from the text, the questions and the recorded tool results. None
 * of these ever changes, so nothing is stored.
 */
import { LRUCache } from 'lru-cache';
import type { Message, ToolCall, Viewer } from '../../domain/conversation/session.ts';
import { groundNumbers } from '../../domain/grounding/ground.ts';
import type { GroundedNumber } from '../../domain/grounding/grounded-number.ts';
import type { ToolEvidence } from '../../domain/grounding/read-facts.ts';
import type { MetricCatalog } from '../../domain/values/metric.ts';
import type { Db } from '../../stores/pg/database.ts';
import { findEvidenceTurns, type EvidenceTurn } from '../../stores/pg/evidence-turns.ts';
import { findToolCallsOfTurns } from '../../stores/pg/tool-calls.ts';

/** Numbers of messages with their sources. */
export type MessageNumbers = ReturnType<typeof createMessageNumbers>;

/** Size of the cache, in messages. */
const KEPT_MESSAGES = 2_000;
/**
 * How many turns count as sources of an answer's numbers, by their results and questions: its own and those
 * before it.
 */
const MAX_TURNS = 6;

type MessageNumbersDeps = { readonly db: Db; readonly metrics: MetricCatalog };

/** Reads evidence from `db`, which the caller owns. */
export function createMessageNumbers(deps: MessageNumbersDeps) {
  const kept = new LRUCache<string, readonly GroundedNumber[]>({ max: KEPT_MESSAGES });
  return {
    /**
     * For each message its numbers in text order; none for messages of users. Two queries for any number of messages.
     */
    async ofMessages(viewer: Viewer, messages: readonly Message[]): Promise<(readonly GroundedNumber[])[]> {
      const asked = messages.filter((message) => hasNumbers(message) && !kept.has(message.id));
      const found = await groundAll(deps, viewer, asked);
      for (const [id, numbers] of found) kept.set(id, numbers);
      return messages.map(({ id }) => found.get(id) ?? kept.get(id) ?? []);
    },
  };
}

const hasNumbers = ({ role, text }: Message): boolean => role === 'ASSISTANT' && /[\d０-９]/u.test(text);

async function groundAll(
  { db, metrics }: MessageNumbersDeps,
  viewer: Viewer,
  messages: readonly Message[],
): Promise<ReadonlyMap<string, readonly GroundedNumber[]>> {
  if (messages.length === 0) return new Map();
  const own = messages.flatMap(({ turnId }) => turnId ?? []);
  const turns = await findEvidenceTurns(db, viewer, own, MAX_TURNS);
  const turnIds = [...new Set([...turns.values()].flat().map(({ id }) => id))];
  const calls = await findToolCallsOfTurns(db, viewer, turnIds);
  const byTurn = new Map(turnIds.map((id, index) => [id, calls[index] ?? []]));
  return new Map(
    messages.map((message) => {
      const evidence = turns.get(message.turnId ?? '') ?? [];
      const asOf = evidence[0]?.asOf ?? message.createdAt;
      return [message.id, groundMessage(message, evidence, byTurn, { metrics, asOf })];
    }),
  );
}

function groundMessage(
  { text }: Message,
  turns: readonly EvidenceTurn[],
  calls: ReadonlyMap<string, readonly ToolCall[]>,
  { metrics: { metrics }, asOf }: { readonly metrics: MetricCatalog; readonly asOf: Date },
): readonly GroundedNumber[] {
  const evidenceOf = (isOwn: boolean): readonly ToolEvidence[] =>
    turns
      .filter(({ depth }) => (depth === 1) === isOwn)
      .flatMap(({ id }) => calls.get(id) ?? [])
      .flatMap(toEvidence);
  return groundNumbers(text, {
    calls: evidenceOf(true),
    earlierCalls: evidenceOf(false),
    userTexts: turns.map(({ question }) => question),
    metrics,
    now: asOf,
  });
}

/** Nothing for a call without a result. */
function toEvidence({ callId, arguments: args, resultJson }: ToolCall): readonly ToolEvidence[] {
  return resultJson === null ? [] : [{ callId, arguments: args, result: JSON.parse(resultJson) as unknown }];
}
