import { Skeleton, Stack } from '@mantine/core';
import { useWords } from '../lib/i18n/i18n.tsx';
import { PageTitle } from './page-title.tsx';

/** Placeholder of a page that is loading; `title` if it is already known which one. */
export function PageSkeleton({ title }: { readonly title?: string }) {
  const { common } = useWords();
  return (
    <Stack p="md" role="status" aria-busy="true" aria-label={common.loading}>
      {title !== undefined && <PageTitle>{title}</PageTitle>}
      <Skeleton height={28} width={220} />
      <Skeleton height={96} />
      <Skeleton height={320} />
    </Stack>
  );
}
