/** Selected parts of a map as an entry of a logbook: what is shown of each, as a table. */
import { projectIn } from '../../../lib/graphql/project.ts';
import { serverNowMs } from '../../../lib/server-clock.ts';
import type { Words } from '../../../lib/i18n/words.ts';
import type { LogbookEntry } from '../../logbook/entry.ts';
import type { MapMetric, MapPart } from './map-model.ts';

type Shown = {
  readonly chipId: string;
  readonly title: string;
  /** Of a part; null for couplings that are not coloured. */
  readonly metricOf: (part: MapPart) => MapMetric | null;
  readonly isCompared: boolean;
  readonly words: Words;
};

export function selectionEntry(
  parts: readonly MapPart[],
  { metricOf, isCompared, words, ...entry }: Shown,
): LogbookEntry {
  const { map, metric } = words.chip;
  const times = parts.flatMap(({ measuredAt }) => measuredAt ?? []).toSorted();
  const column = (key: string, label: string, format: string, unitKey: string | null) =>
    ({ __typename: 'TableColumn', key, label, format, unit: null, unitKey }) as const;
  const number = (key: string, label: string) => column(key, label, 'number', 'unit');
  const text = (key: string, label: string) => column(key, label, 'text', null);
  const columns = [
    text('part', map.part),
    text('metric', metric),
    number('value', map.byValue),
    ...(isCompared ? [number('before', map.comparedValue), number('difference', map.differenceValue)] : []),
    text('unit', ''),
    text('state', map.byState),
    column('measured', words.qubit.age, 'datetime', null),
  ];
  const rows = parts.map((part) => ({
    part: part.label,
    metric: metricOf(part)?.title ?? null,
    value: part.value,
    before: part.before,
    difference: isCompared ? part.shown : null,
    unit: metricOf(part)?.unit ?? null,
    state: map.states[part.state],
    measured: part.measuredAt,
  }));
  return {
    ...entry,
    author: null,
    writtenAt: new Date(serverNowMs()).toISOString(),
    path: (projectIn(location.pathname)?.path ?? '') + location.search,
    freshness: [
      {
        source: 'SNAPSHOT',
        oldestAt: times[0] ?? null,
        newestAt: times.at(-1) ?? null,
        isStale: parts.some(({ state }) => state === 'STALE'),
      },
    ],
    markdown: '',
    exhibits: [{ chart: null, table: { title: map.selection, columns, rows } }],
    records: [],
  };
}
