/** Where messages about alerts and ended work go, and in which hours they wait. */
import type { EndedWork } from './ended-work.ts';

/** `WEBHOOK`: our own JSON, signed; the others by the shapes that these products take. */
export const DESTINATION_KINDS = ['SLACK', 'TEAMS', 'MATTERMOST', 'WEBHOOK', 'EMAIL'] as const;
export type DestinationKind = (typeof DESTINATION_KINDS)[number];

/** Events that a destination can subscribe to. Alerts come from the rules that name it. */
export const DESTINATION_EVENTS = ['TURN_ENDED', 'JOB_ENDED'] as const;
export type DestinationEvent = (typeof DESTINATION_EVENTS)[number];

/** Hours of each day in which messages wait, by the clock of a place: `22:00` to `07:00`. */
export type QuietHours = {
  readonly from: string;
  readonly to: string;
  /** IANA name. */
  readonly timeZone: string;
  /** Whether all of Saturday and Sunday is quiet, too. */
  readonly weekends: boolean;
};

/** What is shown to nobody. `url` of a webhook is itself a secret: who has it may send. */
export type DestinationTarget = {
  readonly url: string | null;
  /** Signs the JSON of a webhook. */
  readonly secret: string | null;
  readonly addresses: readonly string[];
};

type Destination = {
  readonly id: string;
  readonly projectId: string;
  /** Who set it last. */
  readonly viewerId: string;
  readonly name: string;
  readonly kind: DestinationKind;
  readonly quiet: QuietHours | null;
  /** Messages are also sent for alerts that recover after this time; null: for none. */
  readonly recoveriesSince: Date | null;
  /** Events it subscribes to. */
  readonly events: readonly DestinationEvent[];
  /** Attempts that failed since the last one that arrived. */
  readonly failures: number;
  /** The first of these; null without any. */
  readonly failingSince: Date | null;
  /** Until when nothing is tried, because several attempts failed in a row. */
  readonly restsUntil: Date | null;
  /** Since when nothing is sent there; null: it is. */
  readonly disabledAt: Date | null;
  readonly disabledReason: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export type DestinationWithTarget = Destination & { readonly target: DestinationTarget };

/** What may be shown of a target: the machine, or how many addresses. */
export function targetWords({ url, addresses }: DestinationTarget): string {
  if (url !== null) return URL.parse(url)?.host ?? '';
  return addresses.length === 1 ? (addresses[0] ?? '') : `${addresses.length} addresses`;
}

/** What a message says of alerts. */
export type AlertAbout = 'OPENED' | 'RECOVERED';
export type DeliveryAbout = AlertAbout | DestinationEvent;

const DELIVERY_STATES = ['WAITING', 'SENT', 'FAILED'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** A message: one for all alerts that were due at once, that they opened or recovered; one for each turn or job that ended. */
export type Delivery = {
  readonly id: string;
  readonly destinationId: string;
  readonly about: DeliveryAbout;
  readonly state: DeliveryState;
  /** The turn or job that ended; null of messages about alerts. */
  readonly ended: EndedWork | null;
  readonly alertCount: number;
  readonly attempts: number;
  /** Of the last attempt; without addresses and secrets. */
  readonly error: string | null;
  /** What the receiver answered last, of HTTP or SMTP; null where it did not answer. */
  readonly responseCode: number | null;
  /** When it is tried next; null where it is not. */
  readonly nextAt: Date | null;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
};

const MINUTE_MS = 60_000;
/** A weekend and a night. */
const LONGEST_MINUTES = 5 * 24 * 60;

/** When the quiet time ends that `at` lies in; null outside of it. */
export function quietUntil(quiet: QuietHours | null, at: Date): Date | null {
  if (quiet === null || !isQuiet(quiet, at)) return null;
  const start = Math.floor(at.getTime() / MINUTE_MS);
  for (let minute = 1; minute <= LONGEST_MINUTES; minute += 1) {
    const next = new Date((start + minute) * MINUTE_MS);
    if (!isQuiet(quiet, next)) return next;
  }
  return null; // a day without an end is no quiet time
}

function isQuiet({ from, to, timeZone, weekends }: QuietHours, at: Date): boolean {
  const { weekday, time } = clockOf(at, timeZone);
  if (weekends && (weekday === 'Sat' || weekday === 'Sun')) return true;
  return from <= to ? time >= from && time < to : time >= from || time < to;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** `Mon` and `22:05` of a place. */
function clockOf(at: Date, timeZone: string): { readonly weekday: string; readonly time: string } {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
  formats.set(timeZone, format);
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return { weekday: parts['weekday'] ?? '', time: `${parts['hour'] ?? ''}:${parts['minute'] ?? ''}` };
}
