/** How values are written. Pure; everything that depends on the clock takes it. */
import type { Locale } from '../i18n/locale.ts';
import { quantityText } from './quantity.ts';

/** The formats of one language. */
export type Format = {
  /** A value with its unit, to the digits that its error supports. */
  quantity(value: number, unit: string, error?: number | null): string;
  /** A plain number with separators. */
  count(value: number): string;
  /** Date and time in the reader's zone, to the minute. */
  time(iso: string): string;
  /** Date in the reader's zone. */
  date(iso: string): string;
  /** A length of time in its largest unit, such as `3 h`. */
  duration(seconds: number): string;
  /** US dollars, with as many decimals as small costs need. */
  dollars(value: number): string;
};

/** Makes the formats of a language. */
export function createFormat(locale: Locale): Format {
  const counts = new Intl.NumberFormat(locale);
  const times = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const dollars = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'USD',
    maximumSignificantDigits: 3,
  });
  return {
    quantity: quantityText,
    count: (value) => counts.format(value),
    time: (iso) => times.format(new Date(iso)),
    date: (iso) => dates.format(new Date(iso)),
    duration: (seconds) => durationText(seconds, locale),
    dollars: (value) => dollars.format(value),
  };
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A length of time in its largest whole unit: `3 d`, `45 min`; below a second `<1 s`. */
function durationText(seconds: number, locale: Locale): string {
  const [unit, length] = UNITS.find(([, unitSeconds]) => seconds >= unitSeconds) ?? (['second', 1] as const);
  const text = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(
    Math.max(1, Math.floor(seconds / length)),
  );
  return seconds < 1 ? `<${text}` : text;
}
