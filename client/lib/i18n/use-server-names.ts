import { useCallback, useMemo } from 'react';
import { useI18n } from './i18n.tsx';
import { serverNames as ja } from './ja/server-names.ts';
import type { Locale } from './locale.ts';
import type { ServerNames } from './server-names.ts';
import { wordFor } from './word-for.ts';

const NAMES: Readonly<Record<Locale, ServerNames>> = {
  en: { tools: {}, toolCategories: {}, metrics: {}, texts: {}, activities: {} },
  ja,
};

/** Names for which the language of the pages has its own word. */
export const useServerNames = (): ServerNames => NAMES[useI18n().locale];

/** The title of a metric in the language of the pages, from that of the server. */
export function useMetricTitle(): (title: string) => string {
  const { metrics } = useServerNames();
  return useCallback((title) => wordFor(metrics, title), [metrics]);
}

/** A text of a shipped expert, preset or tool in the language of the pages. */
export function useServerText(): (text: string) => string {
  const { texts } = useServerNames();
  return useCallback((text) => wordFor(texts, text), [texts]);
}

/** Metrics with their titles in the language of the pages. */
export function useTitledMetrics<Metric extends { readonly title: string }>(
  metrics: readonly Metric[] | undefined,
): readonly Metric[] | undefined {
  const titleOf = useMetricTitle();
  return useMemo(
    () => metrics?.map((metric) => ({ ...metric, title: titleOf(metric.title) })),
    [metrics, titleOf],
  );
}
