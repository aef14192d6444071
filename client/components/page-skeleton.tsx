import { Skeleton, Stack } from '@mantine/core';
import { useWords } from '../lib/i18n/i18n.tsx';
import { PageTitle } from './page-title.tsx';

/** Stands where a page will stand that is still on its way; `title` where it is known which one. */
export function PageSkeleton({ title }: { readonly title?: string }) {
  const { common } = useWords();
  return (
    <Stack p="md" aria-busy="true" aria-label={common.loading}>
      {title !== undefined && <PageTitle>{title}</PageTitle>}
      <Skeleton height={28} width={220} />
      <Skeleton height={96} />
      <Skeleton height={320} />
    </Stack>
  );
}
