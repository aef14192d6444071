/**
 * Sends messages. What is due of alerts is put into one message for each destination, in the transaction that notes which
 * alerts it has; turns and jobs put one there as they end. A message is then sent by the server that claims it, and tried
 * again with growing pauses. A server that dies between sending and noting it sends again, under the same id: a message may
 * arrive twice, and is never lost.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../base/log.ts';
import { alerts as meters } from '../../base/metrics.ts';
import { alertMessage } from '../../domain/alerts/alert-message.ts';
import { quietUntil, type DestinationWithTarget } from '../../domain/alerts/destination.ts';
import { endedMessage, type EndedNews } from '../../domain/alerts/ended-message.ts';
import { webhookBody, type Message } from '../../domain/alerts/message.ts';
import { dueDestinations, enqueueDelivery } from '../../stores/pg/alert-deliveries.ts';
import { listQuietHours } from '../../stores/pg/alert-destinations.ts';
import type { Db } from '../../stores/pg/database.ts';
import { claimDeliveries, finishAttempt, type ClaimedDelivery } from '../../stores/pg/delivery-queue.ts';

/** Ways out of the house; each returns the code of the answer. Failures that people may read are errors with `retryable`. */
export type Channels = {
  readonly post: (
    post: { url: string; secret: string | null; id: string; at: Date; body: object },
    signal: AbortSignal,
  ) => Promise<number>;
  /** Null: no mail server is configured. */
  readonly mail:
    ((mail: { id: string; to: readonly string[]; subject: string; text: string }) => Promise<number>) | null;
  /** Why nothing is posted to an address; null where it may be tried. */
  readonly refusalOf: (url: URL) => string | null;
  /** Where people reach QPilot; null where that is unknown. */
  readonly origin: string | null;
  readonly idOf: EndedNews['idOf'];
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
    /** Between two looks for messages that are due. */
    readonly pauseMs: number;
  };
};

/** `isOurs`: the receiver was not even asked. */
type DeliveryFailure = Error & {
  readonly retryable: boolean;
  readonly status?: number | null;
  readonly isOurs?: boolean;
};
export const isDeliveryFailure = (error: unknown): error is DeliveryFailure =>
  error instanceof Error && typeof (error as { retryable?: unknown }).retryable === 'boolean';

/** Messages on their way from one server, each to another destination. */
const AT_ONCE = 50;
const ATTEMPTS = 8;
const LONGEST_PAUSE_MS = 3_600_000;
/** A pause is of one message, a rest holds up all: the shortest rest is a quarter of a second. */
const REST_OF_BACKOFF = 1 / 40;

/** Makes messages of alerts that are due, outside of quiet hours. Returns how many alerts went into one. */
export async function enqueueDue({ db, now }: Pick<DeliverDeps, 'db' | 'now'>): Promise<number> {
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

export type Sender = {
  /**
   * Begins to send messages whose time has come, and does not wait for them: a slow receiver holds up no other. With
   * nothing to begin it waits for the end of one that is on its way, or the next look. Returns 0 where nothing is.
   */
  step(signal: AbortSignal): Promise<number>;
  /** Until none is on its way. */
  settled(): Promise<void>;
};

export function createSender(deps: DeliverDeps): Sender {
  const { db, now, log, times } = deps;
  const sending = new Set<Promise<void>>();
  const begin = (claim: string, delivery: ClaimedDelivery, signal: AbortSignal): void => {
    const sent: Promise<void> = attempt(deps, claim, delivery, signal)
      .catch((error: unknown) =>
        log.warn({ err: error, deliveryId: delivery.id }, 'a message stays claimed until its lease ends'),
      )
      .finally(() => sending.delete(sent));
    sending.add(sent);
  };
  return {
    async step(signal) {
      const room = AT_ONCE - sending.size;
      if (room > 0) {
        const at = now();
        const quiet = (await listQuietHours(db)).filter((each) => quietUntil(each.quiet, at) !== null);
        const claim = randomUUID();
        const { leaseMs } = times;
        const claimed = await claimDeliveries(db, {
          claim,
          leaseMs,
          most: room,
          quiet: quiet.map(({ id }) => id),
        });
        for (const delivery of claimed) begin(claim, delivery, signal);
        if (claimed.length > 0) return claimed.length;
      }
      if (sending.size === 0) return 0;
      await firstOf(sending, times.pauseMs, signal);
      return 1;
    },
    async settled() {
      await Promise.all(sending);
    },
  };
}

/** Until one of them is over, or so long. */
async function firstOf(sending: Iterable<Promise<void>>, ms: number, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  const pause = sleep(ms, undefined, { signal: AbortSignal.any([signal, over.signal]) });
  await Promise.race([...sending, pause.catch(() => undefined)]);
  over.abort();
}

async function attempt(
  { db, channels, now, log, times }: DeliverDeps,
  claim: string,
  delivery: ClaimedDelivery,
  signal: AbortSignal,
): Promise<void> {
  const { id, attempts, destination } = delivery;
  const { kind } = destination;
  const mine = { id, claim, destination };
  try {
    const responseCode = await sendMessage(channels, destination, messageOf(channels, delivery), signal);
    await finishAttempt(db, mine, { error: null, at: now(), responseCode });
    meters.deliveries.inc({ kind, outcome: 'SENT' });
  } catch (error) {
    if (signal.aborted) return; // another server has it when the claim runs out
    if (!isDeliveryFailure(error)) throw error;
    const isLast = !error.retryable || attempts >= ATTEMPTS;
    const againMs = isLast ? null : Math.min(LONGEST_PAUSE_MS, times.backoffMs * 4 ** (attempts - 1));
    const { message, status: responseCode = null, isOurs = false } = error;
    const failed = {
      error: message,
      responseCode,
      againMs,
      isOurs,
      restMs: times.backoffMs * REST_OF_BACKOFF,
    };
    const offBecause = await finishAttempt(db, mine, failed);
    meters.deliveries.inc({ kind, outcome: isLast ? 'FAILED' : 'AGAIN' });
    log.warn({ deliveryId: id, why: message, attempts, againMs }, 'a message was not sent');
    if (offBecause !== null)
      log.warn({ destinationId: destination.id, why: offBecause }, 'a destination was switched off');
  }
}

/** @throws an error that is final where there is nothing to say any more */
function messageOf({ origin, idOf }: Channels, delivery: ClaimedDelivery): Message {
  const { id, createdAt: at, projectId } = delivery;
  if (delivery.ended !== null) {
    const { ended, title } = delivery;
    return endedMessage({ id, at, projectId, ended, title, origin, idOf });
  }
  const { about, alerts } = delivery;
  if (alerts.length === 0)
    throw Object.assign(new Error('its alerts are gone'), { retryable: false, isOurs: true });
  return alertMessage({ id, at, about, projectId, alerts, origin });
}

/** Sends one message. Returns the code of the answer. @throws what {@link isDeliveryFailure} knows */
export async function sendMessage(
  { post, mail }: Channels,
  { kind, target }: DestinationWithTarget,
  message: Message,
  signal: AbortSignal,
): Promise<number> {
  const { id, subject, mail: text } = message;
  if (kind !== 'EMAIL')
    return post(
      { url: target.url ?? '', secret: target.secret, id, at: new Date(), body: webhookBody(kind, message) },
      signal,
    );
  if (mail === null)
    throw Object.assign(new Error('this server sends no mail; an operator sets SMTP_URL'), {
      retryable: true,
      isOurs: true,
    });
  return mail({ id, to: target.addresses, subject, text });
}
