import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { Age } from '../../../components/age.tsx';
import type { ChipOverviewQuery } from '../../../gql/graphql.ts';
import { useI18n } from '../../../lib/i18n/i18n.tsx';
import { useMetricTitle } from '../../../lib/i18n/use-server-names.ts';
import classes from '../chip.module.css';
import { statesAddress } from '../chip-view.ts';
import { Lines } from './lines.tsx';

export type OldValues = NonNullable<NonNullable<ChipOverviewQuery['chip']>['summary']>['old'];

/** Values that are older than allowed, by metric; each line leads to the map, which shows where they are. */
export function Old({ of }: { readonly of: OldValues }) {
  const { words, format } = useI18n();
  const { changes } = words.chip;
  const titleOf = useMetricTitle();
  const all = of.reduce((sum, { count }) => sum + count, 0);
  return (
    <Lines of={of} text={() => changes.old(format.count(all))}>
      {({ kind, parameter, title, count, oldestAt }) => (
        <li key={`${kind} ${parameter}`}>
          <Anchor
            component={Link}
            to={statesAddress(kind, parameter, location.search)}
            size="sm"
            className={classes['grow'] ?? ''}
          >
            {titleOf(title)}
          </Anchor>
          <Text span size="xs" c="dimmed">
            {changes.oldValues(format.count(count))} <Age at={oldestAt} />
          </Text>
        </li>
      )}
    </Lines>
  );
}
