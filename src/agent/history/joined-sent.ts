import type { RecordedInput } from '../../domain/conversation/step-record.ts';
import { redactSecrets } from '../../base/redaction/redact.ts';
import type { EarlierTurn } from '../../stores/session-store.ts';

type Sent = readonly RecordedInput[];

/**
 * Turns with what their models were sent. A message that joined the turn before it has what was sent from that message
 * on, since both share a model's calls.
 */
export function withSentInputs(
  earlier: readonly EarlierTurn[],
  sent: ReadonlyMap<string, Sent>,
): readonly EarlierTurn[] {
  let rest: Sent | undefined;
  return earlier.map((turn, at) => {
    const own = sent.get(turn.turnId) ?? rest;
    rest = undefined;
    if (own === undefined) return turn;
    const cut = placeOf(earlier[at + 1], turn, own);
    if (cut > 0) rest = own.slice(cut);
    return { ...turn, sent: cut > 0 ? own.slice(0, cut) : own };
  });
}

/** Where in the input of a turn the next message joined it; -1 where it did not. */
function placeOf(next: EarlierTurn | undefined, turn: EarlierTurn, sent: Sent): number {
  if (!next?.answer || next.answer.id !== turn.answer?.id) return -1;
  const words = redactSecrets(next.question.text); // as records are
  return sent.findIndex((entry, at) => at > 0 && entry.type === 'user' && entry.text.startsWith(words));
}
