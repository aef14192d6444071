import type { Locale } from '../i18n/locale.ts';

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A length of time in its largest whole unit: `3 d`, `45 min`; below a second `<1 s`. */
export function durationText(seconds: number, locale: Locale): string {
  const [unit, length] = UNITS.find(([, unitSeconds]) => seconds >= unitSeconds) ?? (['second', 1] as const);
  const text = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(
    Math.max(1, Math.floor(seconds / length)),
  );
  return seconds < 1 ? `<${text}` : text;
}
