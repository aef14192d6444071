import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { LoadError } from '../../components/load-error.tsx';
import { Panel } from '../../components/panel.tsx';
import { AlertsOfChipDocument } from '../../gql/graphql.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { useChipQuery } from './chip-updates.tsx';
import classes from '../alerts/alerts.module.css';
import { AlertLine } from '../alerts/open-alerts.tsx';

const SHOWN = 5;

/** The open alerts of a chip on its page; nothing where there are none. */
export function ChipAlerts({ chipId }: { readonly chipId: string }) {
  const { alerts: words } = useWords();
  const { data, error, retry } = useChipQuery({ query: AlertsOfChipDocument, variables: { chipId } });
  if (!data && error) return <LoadError error={error} onRetry={retry} />;
  const alerts = data?.alerts ?? [];
  if (alerts.length === 0) return null;
  return (
    <Panel
      title={words.open(alerts.length)}
      aside={
        <Anchor component={Link} to="/alerts" size="sm">
          {words.all}
        </Anchor>
      }
    >
      <ul className={classes['list']}>
        {alerts.slice(0, SHOWN).map((alert) => (
          <AlertLine key={alert.alertId} alert={alert} />
        ))}
      </ul>
    </Panel>
  );
}
