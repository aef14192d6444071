import { createContext } from 'react';
import { utcMinute, type LogbookEntry } from './entry.ts';

/** What the picture of a chart says of where its values are from; empty for nothing. */
export const PictureSourceContext = createContext('');

/** `demo-64 · 2026-11-23 23:05 UTC – 2026-11-23 23:37 UTC`. */
export function pictureSource(chipId: string | null, freshness: LogbookEntry['freshness']): string {
  const times = (key: 'oldestAt' | 'newestAt'): string[] =>
    freshness.flatMap((each) => each[key] ?? []).toSorted();
  const [oldest] = times('oldestAt');
  const newest = times('newestAt').at(-1);
  const range = [oldest, newest].flatMap((time) => (time === undefined ? [] : [utcMinute(time)]));
  return [chipId, [...new Set(range)].join(' – ')].filter(Boolean).join(' · ');
}
