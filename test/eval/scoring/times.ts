/** Days, months and years that a text names, and whether they can be the one that is meant. */

/** A named time; what is not named is null. */
export type NamedTime = {
  readonly at: number;
  readonly year: number | null;
  readonly month: number | null;
  readonly day: number | null;
};

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH = String.raw`(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?`;
const FORMS: readonly (readonly [form: RegExp, order: string])[] = [
  [/\b(\d{4})-(\d{2})-(\d{2})/gu, 'ymd'],
  [/\b(\d{4})-(\d{2})\b(?!-)/gu, 'ym'],
  [new RegExp(String.raw`\b(\d{1,2})\.? ${MONTH}(?: (\d{4}))?\b`, 'giu'), 'dmy'],
  [new RegExp(String.raw`\b${MONTH} (\d{1,2})(?!\d)(?:,? (\d{4}))?`, 'giu'), 'mdy'],
  [new RegExp(String.raw`\b${MONTH} (\d{4})\b`, 'giu'), 'my'],
  [/(?:(\d{4})年)?(\d{1,2})月(?:(\d{1,2})日)?/gu, 'ymd'],
  [/\b((?:19|20)\d{2})\b/gu, 'y'],
];

/** Times in order; of one that can be read in two ways, the fuller. */
export function timesIn(text: string): readonly NamedTime[] {
  let rest = text;
  const found: NamedTime[] = [];
  for (const [form, order] of FORMS) {
    for (const match of rest.matchAll(form)) {
      const part = (key: string): number | null => {
        const written = match[order.indexOf(key) + 1];
        if (!order.includes(key) || written === undefined) return null;
        const named = MONTHS.indexOf(written.toLowerCase().slice(0, 3));
        return named < 0 ? Number(written) : named + 1;
      };
      found.push({ at: match.index, year: part('y'), month: part('m'), day: part('d') });
    }
    rest = rest.replaceAll(form, (written) => ' '.repeat(written.length));
  }
  return found.toSorted((a, b) => a.at - b.at);
}

/** Whether a named time can be of `when`, as `2021-12-09` or `2021-12`. */
export function isOf({ year, month, day }: NamedTime, when: string): boolean {
  const [wantedYear, wantedMonth, wantedDay] = when.split('-').map(Number);
  const fits = (named: number | null, wanted: number | undefined): boolean =>
    named === null || wanted === undefined || named === wanted;
  return fits(year, wantedYear) && fits(month, wantedMonth) && fits(day, wantedDay);
}
