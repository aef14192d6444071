import { Skeleton } from '@mantine/core';
import { useEffect, useMemo, useRef } from 'react';
import { LoadError } from '../../../components/load-error.tsx';
import { ChipMetricViewDocument, MetricCatalogueDocument } from '../../../gql/graphql.ts';
import { useKeptQuery } from '../../../lib/graphql/use-kept-query.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { useTitledMetrics } from '../../../lib/i18n/use-server-names.ts';
import { useChipQuery } from '../chip-updates.tsx';
import { readAgainst, type ChipView } from '../chip-view.ts';
import { MapPanel } from './map-panel.tsx';
import { qubitValuesOf } from './map-model.ts';
import { resultsText } from './map-text.ts';

/** What the map of a chip shows. */
export type ShownMap = Pick<ChipView, 'selection' | 'windowHours' | 'byState'> & {
  readonly chipId: string;
  readonly metric: string;
  readonly couplings: string | null;
  /** As in the address of the page of a chip: `24h`, or a day. */
  readonly since: string | null;
  readonly otherChip: string | null;
};

/** The map of a chip on a board; `readAt` is when the board was read, with which relative times go on. */
export function PinnedMap({ shown, readAt }: { readonly shown: ShownMap; readonly readAt: string }) {
  const { chipId, metric: name, couplings, selection, windowHours: withinHours, since, otherChip } = shown;
  const { chip } = useWords();
  const [catalogue] = useKeptQuery({ query: MetricCatalogueDocument });
  const metrics = useTitledMetrics(catalogue.data?.metrics);
  const isCurrent = selection === 'LATEST' && withinHours === null;
  const { data, error, retry } = useChipQuery({
    query: ChipMetricViewDocument,
    variables: { chipId, name, selection, withinHours },
    pause: isCurrent,
  });
  const again = useRef(retry);
  useEffect(() => {
    again.current = retry;
  });
  useEffect(() => {
    if (!isCurrent) again.current();
  }, [isCurrent, readAt]);
  const values = data?.chip?.metric?.values;
  const qubitValues = useMemo(
    () => (isCurrent || !values ? null : qubitValuesOf(values)),
    [isCurrent, values],
  );
  // A difference to hours ago is read again each hour, not each time that the board is.
  const hour = readAt.slice(0, 13);
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const against = useMemo(() => readAgainst(otherChip, since), [otherChip, since, hour]);
  const metric = metrics?.find((each) => each.scope === 'QUBIT' && each.name === name);
  const couplingMetric =
    metrics?.find((each) => each.scope === 'COUPLING' && each.name === couplings) ?? null;
  const failure = (!values && error) || (!catalogue.data && catalogue.error);
  if (failure) return <LoadError error={failure} onRetry={retry} />;
  if (!metric || (!isCurrent && qubitValues === null)) return <Skeleton height={420} />;
  const view = { against, byState: shown.byState };
  const results = isCurrent ? null : resultsText(chip, selection, withinHours);
  return <MapPanel {...{ chipId, metric, couplingMetric, qubitValues, results, view }} />;
}
