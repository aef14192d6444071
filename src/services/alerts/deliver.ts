/**
 * Sends messages about alerts. What is due is put into one message for each destination, in the transaction that notes which
 * alerts it has; a message is then sent by the server that claims it, and tried again with growing pauses. A server that
 * dies between sending and noting it sends again, under the same id: a message may arrive twice, and is never lost.
 */
import { randomUUID } from 'node:crypto';
import type { Logger } from '../../base/log.ts';
import { alerts as meters } from '../../base/metrics.ts';
import { quietUntil, type DestinationWithTarget } from '../../domain/alerts/destination.ts';
import { mailText, subjectOf, webhookBody, type AlertMessage } from '../../domain/alerts/message.ts';
import {
  claimDeliveries,
  dueDestinations,
  enqueueDelivery,
  finishAttempt,
  type ClaimedDelivery,
} from '../../stores/pg/alert-deliveries.ts';
import type { Db } from '../../stores/pg/database.ts';

/** Ways out of the house. Failures that people may read are errors with `retryable`. */
export type Channels = {
  readonly post: (
    post: { url: string; secret: string | null; id: string; at: Date; body: object },
    signal: AbortSignal,
  ) => Promise<void>;
  /** Null: no mail server is configured. */
  readonly mail:
    ((mail: { id: string; to: readonly string[]; subject: string; text: string }) => Promise<void>) | null;
  /** Why nothing is posted to an address; null where it may be tried. */
  readonly refusalOf: (url: URL) => string | null;
  /** Where people reach QPilot; null where that is unknown. */
  readonly origin: string | null;
};

export type DeliverDeps = {
  readonly db: Db;
  readonly channels: Channels;
  readonly now: () => Date;
  readonly log: Logger;
  readonly times: {
    /** How long a server may take for a message. */
    readonly leaseMs: number;
    /** The first pause after a failure; each further one is four times as long, up to an hour. */
    readonly backoffMs: number;
  };
};

type DeliveryFailure = Error & { readonly retryable: boolean };
export const isDeliveryFailure = (error: unknown): error is DeliveryFailure =>
  error instanceof Error && typeof (error as { retryable?: unknown }).retryable === 'boolean';

const AT_ONCE = 5;
const ATTEMPTS = 8;
const LONGEST_PAUSE_MS = 3_600_000;

/** Makes messages of what is due, outside of quiet hours. Returns how many alerts went into one. */
export async function enqueueDue({ db, now }: DeliverDeps): Promise<number> {
  const at = now();
  let alerts = 0;
  for (const about of ['OPENED', 'RECOVERED'] as const) {
    for (const destination of await dueDestinations(db, about, at)) {
      if (quietUntil(destination.quiet, at) === null)
        alerts += await enqueueDelivery(db, destination, about, at);
    }
  }
  return alerts;
}

/** Sends messages whose time has come. Returns how many it tried. */
export async function sendDue(deps: DeliverDeps, signal: AbortSignal): Promise<number> {
  const claim = randomUUID();
  const claimed = await claimDeliveries(deps.db, { claim, leaseMs: deps.times.leaseMs, most: AT_ONCE });
  await Promise.all(claimed.map((delivery) => attempt(deps, claim, delivery, signal)));
  return claimed.length;
}

async function attempt(
  { db, channels, now, log, times }: DeliverDeps,
  claim: string,
  { id, attempts, projectId, createdAt, about, destination, alerts }: ClaimedDelivery,
  signal: AbortSignal,
): Promise<void> {
  const mine = { id, claim };
  if (destination === null) return finishAttempt(db, mine, { error: 'it was deleted', againMs: null });
  if (alerts.length === 0) return finishAttempt(db, mine, { error: 'its alerts are gone', againMs: null });
  const { kind } = destination;
  try {
    const message = { id, at: createdAt, about, projectId, alerts, origin: channels.origin };
    await sendMessage(channels, destination, message, signal);
    await finishAttempt(db, mine, { error: null, at: now() });
    meters.deliveries.inc({ kind, outcome: 'SENT' });
  } catch (error) {
    if (signal.aborted) return; // another server has it when the claim runs out
    if (!isDeliveryFailure(error)) throw error;
    const isLast = !error.retryable || attempts >= ATTEMPTS;
    const againMs = isLast ? null : Math.min(LONGEST_PAUSE_MS, times.backoffMs * 4 ** (attempts - 1));
    await finishAttempt(db, mine, { error: error.message, againMs });
    meters.deliveries.inc({ kind, outcome: isLast ? 'FAILED' : 'AGAIN' });
    log.warn(
      { deliveryId: id, why: error.message, attempts, againMs },
      'a message about alerts was not sent',
    );
  }
}

/** Sends one message. @throws what {@link isDeliveryFailure} knows */
export async function sendMessage(
  { post, mail }: Channels,
  { kind, target }: DestinationWithTarget,
  message: AlertMessage,
  signal: AbortSignal,
): Promise<void> {
  const { id } = message;
  if (kind !== 'EMAIL')
    return post(
      { url: target.url ?? '', secret: target.secret, id, at: new Date(), body: webhookBody(kind, message) },
      signal,
    );
  if (mail === null)
    throw Object.assign(new Error('this server sends no mail; an operator sets SMTP_URL'), {
      retryable: true,
    });
  await mail({ id, to: target.addresses, subject: subjectOf(message), text: mailText(message) });
}
