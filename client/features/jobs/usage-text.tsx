import { Text } from '@mantine/core';
import type { JobListedFragment } from '../../gql/graphql.ts';
import { useI18n } from '../../lib/i18n/i18n.tsx';

/** Tokens and cost of a job; nothing where no model was asked, as with the offline analyst. */
export function UsageText({ usage }: { readonly usage: JobListedFragment['usage'] }) {
  const { words, format } = useI18n();
  const { totalTokens, inputTokens, cachedTokens, outputTokens, costUsd, estimated } = usage;
  if (totalTokens === 0) return null;
  const tokens = words.jobs.tokens(format.count(totalTokens), estimated);
  return (
    <Text
      span
      size="xs"
      c="dimmed"
      title={words.copilot.usage(
        format.count(inputTokens),
        format.count(cachedTokens),
        format.count(outputTokens),
      )}
    >
      {typeof costUsd === 'number' ? `${tokens} · ${format.dollars(costUsd)}` : tokens}
    </Text>
  );
}
