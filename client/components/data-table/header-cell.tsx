import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconSelector } from '@tabler/icons-react';
import type { Sorting } from '../../lib/sort-rows.ts';
import classes from './data-table.module.css';

type HeaderCellProps = {
  readonly column: { readonly key: string; readonly heading: string; readonly isNumber?: boolean };
  readonly sorting: Sorting | null;
  readonly onSort: (sorting: Sorting) => void;
};

/** A heading that sorts by its column; pressed again, the other way. */
export function HeaderCell({ column: { key, heading, isNumber = false }, sorting, onSort }: HeaderCellProps) {
  const way = sorting?.column !== key ? 'none' : sorting.descending ? 'descending' : 'ascending';
  const Arrow = { none: IconSelector, ascending: IconArrowUp, descending: IconArrowDown }[way];
  return (
    <th scope="col" aria-sort={way} data-number={isNumber}>
      <UnstyledButton
        className={classes['heading'] ?? ''}
        onClick={() => onSort({ column: key, descending: way === 'ascending' })}
      >
        {heading}
        <Arrow size={12} aria-hidden="true" opacity={way === 'none' ? 0.4 : 1} />
      </UnstyledButton>
    </th>
  );
}
