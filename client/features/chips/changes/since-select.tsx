import { Select, TextInput } from '@mantine/core';
import { useI18n } from '../../../lib/i18n/i18n.tsx';
import { serverNowMs } from '../../../lib/server-clock.ts';

const HOUR_MS = 3_600_000;
const SINCE_HOURS = [8, 24, 72, 168, 720] as const;

/** A point in time that changes are counted from; `key` says how it was chosen. */
export type Since = { readonly key: string; readonly from: string };

/** A day before the newest value, of which nothing is of the last 24 hours: what it changed is seen. */
const beforeNewest = (newestAt: string): Since => ({
  key: 'newest',
  from: hoursAgo(24, Date.parse(newestAt)).from,
});

const isOld = (newestAt: string): boolean => serverNowMs() - Date.parse(newestAt) > 24 * HOUR_MS;

/** What changes are counted from at first. */
const firstSince = (newestAt: string | null): Since =>
  newestAt !== null && isOld(newestAt) ? beforeNewest(newestAt) : hoursAgo(24);

const hoursAgo = (hours: number, nowMs = serverNowMs()): Since => ({
  key: `${hours}`,
  from: new Date(nowMs - hours * HOUR_MS).toISOString(),
});

/** Points in time of a chip and its reader; null where there is none. */
export type KnownTimes = {
  readonly visit: string | null;
  /** When the newest value was measured. */
  readonly newestAt: string | null;
  readonly cooldownAt: string | null;
};

/** From the part of an address; what cannot be understood is as if it were not there. */
export function readSince(text: string | null, { visit, newestAt, cooldownAt }: KnownTimes): Since {
  if (text === 'cooldown' && cooldownAt) return { key: text, from: cooldownAt };
  if (text === 'newest' && newestAt) return beforeNewest(newestAt);
  const hours = SINCE_HOURS.find((known) => text === `${known}h`);
  if (hours !== undefined) return hoursAgo(hours);
  const at = text === null || !/^\d{4}-\d{2}-\d{2}/u.test(text) ? null : new Date(text);
  if (text === null || at === null || Number.isNaN(at.getTime())) return firstSince(newestAt);
  if (text === visit) return { key: 'visit', from: text };
  return text.length > 10
    ? { key: 'time', from: at.toISOString() }
    : { key: 'day', from: new Date(`${text}T00:00:00`).toISOString() };
}

/** A time is written as it is, so that a copied address means the same for others. */
export const writeSince = ({ key, from }: Since): string =>
  key === 'day'
    ? dayOf(from)
    : key === 'visit' || key === 'time'
      ? from
      : /^\d+$/u.test(key)
        ? `${key}h`
        : key;

/** A day in the reader's zone. */
function dayOf(from: string): string {
  const at = new Date(from);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

export function SinceSelect({
  since,
  known: { visit, newestAt, cooldownAt },
  onSince,
}: {
  readonly since: Since;
  readonly known: KnownTimes;
  readonly onSince: (since: Since) => void;
}) {
  const { words, format } = useI18n();
  const { changes } = words.chip;
  const choose = (key: string): void => {
    if (key === 'visit' && visit) onSince({ key, from: visit });
    else if (key === 'cooldown' && cooldownAt) onSince({ key, from: cooldownAt });
    else if (key === 'newest' && newestAt) onSince(beforeNewest(newestAt));
    else if (key === 'day') onSince({ ...hoursAgo(24), key });
    else onSince(hoursAgo(Number(key)));
  };
  return (
    <>
      <Select
        aria-label={changes.since}
        size="xs"
        w={310}
        maw="100%"
        allowDeselect={false}
        data={[
          ...(visit === null ? [] : [{ value: 'visit', label: changes.sinceVisit(format.time(visit)) }]),
          ...(newestAt === null || !isOld(newestAt)
            ? []
            : [{ value: 'newest', label: changes.sinceNewest(format.date(newestAt)) }]),
          ...(cooldownAt === null
            ? []
            : [{ value: 'cooldown', label: changes.sinceCooldown(format.date(cooldownAt)) }]),
          ...SINCE_HOURS.map((hours) => ({ value: String(hours), label: changes.sinceHours(hours) })),
          { value: 'day', label: changes.sinceDay },
          ...(since.key === 'time'
            ? [{ value: 'time', label: words.times.since(format.time(since.from)) }]
            : []),
        ]}
        value={since.key}
        onChange={(key) => key && choose(key)}
      />
      {since.key === 'day' && (
        <TextInput
          type="date"
          size="xs"
          aria-label={changes.day}
          defaultValue={dayOf(since.from)}
          max={new Date(serverNowMs()).toISOString().slice(0, 10)}
          onChange={({ currentTarget: { value } }) => {
            const from = new Date(`${value}T00:00:00`);
            if (from.getTime() < serverNowMs()) onSince({ key: 'day', from: from.toISOString() });
          }}
        />
      )}
    </>
  );
}
