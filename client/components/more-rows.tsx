import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { UsedPages } from '../lib/graphql/use-pages.ts';
import { useWords } from '../lib/i18n/i18n.tsx';
import { LoadError } from './load-error.tsx';

/**
 * The last item of a list: loads the next page, or shows why it could not be read. The first of the rows that come
 * is focused, so that the keyboard and a screen reader continue where they were.
 */
export function MoreRows({
  list: { rows, hasMore, isReading, error, more, again },
  as: Item = 'li',
}: {
  readonly list: UsedPages<unknown>;
  readonly as?: 'li' | 'div';
}) {
  const { common } = useWords();
  const place = useRef<HTMLLIElement & HTMLDivElement>(null);
  const lastRow = useRef<Element | null>(null);
  const count = rows?.length ?? 0;
  useEffect(() => {
    const added = lastRow.current?.nextElementSibling;
    lastRow.current = null;
    if (added !== place.current) added?.querySelector<HTMLElement>('a, button, input')?.focus();
  }, [count]);
  return (
    <Item ref={place} hidden={!hasMore && error === null}>
      {error !== null && rows !== null && <LoadError error={error} onRetry={again} />}
      {hasMore && error === null && (
        <Button
          size="compact-sm"
          variant="subtle"
          mt="xs"
          // Not `disabled`, which would take the focus away.
          aria-disabled={isReading}
          onClick={() => {
            if (isReading) return;
            lastRow.current = place.current?.previousElementSibling ?? null;
            more();
          }}
        >
          {common.more}
        </Button>
      )}
    </Item>
  );
}
