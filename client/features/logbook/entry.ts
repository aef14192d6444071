import type { ChartViewFragment, CopilotFreshnessFragment, CopilotTableFragment } from '../../gql/graphql.ts';

/** A chart with the table of its values, or one of them. */
export type EntryExhibit = {
  readonly chart: (ChartViewFragment & { readonly title: string }) | null;
  readonly table: Pick<CopilotTableFragment, 'title' | 'columns' | 'rows'> | null;
};

/** What goes into a logbook: an answer or the report of a job, with what makes it understood later. */
export type LogbookEntry = {
  /** The question, or what the job was to do. */
  readonly title: string;
  readonly chipId: string | null;
  /** Whose it is; null without sign-in. */
  readonly author: string | null;
  readonly writtenAt: string | null;
  readonly freshness: readonly Pick<
    CopilotFreshnessFragment,
    'source' | 'oldestAt' | 'newestAt' | 'isStale'
  >[];
  /** Its words. */
  readonly markdown: string;
  readonly exhibits: readonly EntryExhibit[];
  /** Records of the lab behind its numbers. */
  readonly records: readonly string[];
  /** Where it is in its project. */
  readonly path: string;
};

/** A line of what is known about an entry. */
export type Fact = { readonly label: string; readonly value: string };

/** Words of the facts, in the language of the page. */
export type FactWords = {
  readonly chip: string;
  readonly written: string;
  readonly data: string;
  readonly records: string;
  readonly link: string;
  readonly moreRecords: (count: number) => string;
  readonly stale: string;
  readonly sources: Readonly<Record<string, string>>;
};

const MOST_RECORDS = 20;

/**
 * What is known about an entry, a line each; what is not known has none. Times are in UTC.
 * @param pages the address that pages of its project begin with
 */
export function factsOf(entry: LogbookEntry, words: FactWords, pages: string): readonly Fact[] {
  const { chipId, author, writtenAt, freshness, records, path } = entry;
  const shown = records.slice(0, MOST_RECORDS).join(', ');
  const more = records.length - MOST_RECORDS;
  const written = [author, writtenAt && utcMinute(writtenAt)].filter(Boolean).join(', ');
  return [
    { label: words.chip, value: chipId ?? '' },
    { label: words.written, value: written },
    { label: words.data, value: freshness.map((each) => dataOf(each, words)).join('; ') },
    { label: words.records, value: more > 0 ? `${shown}, ${words.moreRecords(more)}` : shown },
    { label: words.link, value: pages + path },
  ].filter(({ value }) => value !== '');
}

/** What it rests on: `stored results: 2026-11-23 23:05 UTC – 2026-11-23 23:37 UTC`. */
function dataOf(
  { source, oldestAt, newestAt, isStale }: LogbookEntry['freshness'][number],
  words: FactWords,
): string {
  const [oldest, newest] = [oldestAt, newestAt].map((time) => (time ? utcMinute(time) : null));
  const times = oldest && newest && (oldest === newest ? oldest : `${oldest} – ${newest}`);
  const name = words.sources[source] ?? source;
  return `${times ? `${name}: ${times}` : name}${isStale ? ` (${words.stale})` : ''}`;
}

/** A time as it is understood anywhere: `2026-11-23 23:05 UTC`. */
export function utcMinute(iso: string): string {
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? iso : `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** A name of a file: what no system refuses, at most 80 characters. */
export const fileNameOf = (title: string): string =>
  title
    .replaceAll(/[\p{C}\s/\\:*?"<>|.]+/gu, ' ')
    .trim()
    .slice(0, 80)
    .trim()
    .toWellFormed() || 'QPilot';
