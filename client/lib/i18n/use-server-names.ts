import { useCallback, useMemo } from 'react';
import { useI18n } from './i18n.tsx';
import { serverNames as ja } from './ja/server-names.ts';
import type { Locale } from './locale.ts';
import { sentenceReader, type Sentences } from './sentences.ts';
import type { ServerNames } from './server-names.ts';
import { wordFor } from './word-for.ts';

const NAMES: Readonly<Record<Locale, ServerNames>> = {
  en: { tools: {}, toolCategories: {}, metrics: {}, texts: {}, sentences: {}, joined: {}, activities: {} },
  ja,
};

const readerOf = ({ metrics, texts, sentences, joined }: ServerNames, more: Sentences = {}) =>
  sentenceReader({ ...sentences, ...more, ...joined }, (name) => wordFor(texts, wordFor(metrics, name)));

const READERS: Readonly<Record<Locale, (text: string) => string>> = {
  en: readerOf(NAMES.en),
  ja: readerOf(NAMES.ja),
};

/** Names for which the language of the pages has its own word. */
export const useServerNames = (): ServerNames => NAMES[useI18n().locale];

/** The title of a metric in the language of the pages, from that of the server. */
export function useMetricTitle(): (title: string) => string {
  const { metrics } = useServerNames();
  return useCallback((title) => wordFor(metrics, title), [metrics]);
}

/** A text of the server in the language of the pages: of experts, presets and tools, why a value is in doubt, refusals. */
export const useServerText = (): ((text: string) => string) => READERS[useI18n().locale];

/** As {@link useServerText}, also for sentences that a feature brings for itself. */
export function useSentences(
  ofFeature: Readonly<Partial<Record<Locale, Sentences>>>,
): (text: string) => string {
  const { locale } = useI18n();
  return useMemo(() => readerOf(NAMES[locale], ofFeature[locale]), [locale, ofFeature]);
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
