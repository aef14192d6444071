import { Skeleton, Stack } from '@mantine/core';
import { useWords } from '../lib/i18n/i18n.tsx';

/** Stands where a page will stand whose code is still on its way. */
export function PageSkeleton() {
  const { common } = useWords();
  return (
    <Stack p="md" aria-busy="true" aria-label={common.loading}>
      <Skeleton height={28} width={220} />
      <Skeleton height={96} />
      <Skeleton height={320} />
    </Stack>
  );
}
