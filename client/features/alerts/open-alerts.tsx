import { Anchor, Badge, Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useDidUpdate } from '@mantine/hooks';
import { useCallback, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { Age } from '../../components/age.tsx';
import { LoadError } from '../../components/load-error.tsx';
import { useSetPart } from '../../components/time-range/use-times-of-page.ts';
import { Panel } from '../../components/panel.tsx';
import { PopoverForm } from '../../components/popover-form.tsx';
import {
  AcknowledgeAlertDocument,
  EndedAlertsDocument,
  type AlertOfListFragment,
} from '../../gql/graphql.ts';
import { useKeptQuery } from '../../lib/graphql/use-kept-query.ts';
import { useI18n } from '../../lib/i18n/i18n.tsx';
import { partPath, recordPath } from '../../lib/part-path.ts';
import classes from './alerts.module.css';
import { useAlertText } from './use-alert-text.ts';
import type { AlertsPage } from './use-alerts.ts';

type OpenAlertsProps = {
  readonly alerts: readonly AlertOfListFragment[];
  readonly mayAcknowledge: boolean;
  readonly page: AlertsPage;
};

/** Open alerts, those first that nobody has seen; below them those that ended, on demand. */
export function OpenAlerts({ alerts, mayAcknowledge, page }: OpenAlertsProps) {
  const { alerts: words } = useI18n().words;
  const [query] = useSearchParams();
  const setPart = useSetPart();
  const showsEnded = query.has('ended');
  const sorted = alerts.toSorted(
    (a, b) => Number(a.acknowledgedAt !== null) - Number(b.acknowledgedAt !== null),
  );
  return (
    <Panel title={words.open(alerts.length)}>
      {alerts.length === 0 ? (
        <Text size="sm" c="dimmed">
          {words.nothingOpen}
        </Text>
      ) : (
        <ul className={classes['list']}>
          {sorted.map((alert) => (
            <AlertLine key={alert.alertId} alert={alert}>
              {mayAcknowledge && alert.acknowledgedAt === null && <Acknowledge alert={alert} page={page} />}
            </AlertLine>
          ))}
        </ul>
      )}
      <Button
        mt="sm"
        size="compact-xs"
        variant="default"
        aria-expanded={showsEnded}
        onClick={() => setPart('ended', showsEnded ? null : '')}
      >
        {words.ended}
      </Button>
      {showsEnded && <EndedAlerts openCount={alerts.length} />}
    </Panel>
  );
}

function EndedAlerts({ openCount }: { readonly openCount: number }) {
  const { alerts: words } = useI18n().words;
  const [{ data, error }, execute] = useKeptQuery({ query: EndedAlertsDocument });
  const again = useCallback(() => execute({ requestPolicy: 'network-only' }), [execute]);
  // What was open has ended.
  useDidUpdate(again, [openCount]);
  if (!data) return error ? <LoadError error={error} onRetry={again} /> : <Skeleton mt="sm" height={60} />;
  if (data.alerts.length === 0)
    return (
      <Text size="sm" c="dimmed" mt="xs">
        {words.nothingEnded}
      </Text>
    );
  return (
    <ul className={classes['list']}>
      {data.alerts.map((alert) => (
        <AlertLine key={alert.alertId} alert={alert} />
      ))}
    </ul>
  );
}

/** One alert: the part, what it rests on, the rule, since when, and who has seen it. */
export function AlertLine({
  alert,
  children,
}: {
  readonly alert: AlertOfListFragment;
  readonly children?: React.ReactNode;
}) {
  const { words, format } = useI18n();
  const { alerts } = words;
  const read = useAlertText();
  const { chipId, partId, label, evidence, acknowledgedBy, acknowledgedAt, note, ending, closedAt } = alert;
  return (
    <li>
      <Group gap="xs" wrap="nowrap" justify="space-between" align="flex-start">
        <Stack gap={2}>
          <Group gap="xs">
            <Anchor component={Link} to={partPath(chipId, partId, alert.parameter)} fw={650} size="sm">
              {label}
            </Anchor>
            <Text size="sm" c="dimmed">
              {chipId}
            </Text>
            {ending !== null && (
              <Badge variant="light" color="gray">
                {alerts.endings[ending]}
              </Badge>
            )}
            <Text size="xs" c="dimmed">
              {closedAt === null ? alerts.since : alerts.until} <Age at={closedAt ?? alert.openedAt} />
            </Text>
          </Group>
          {evidence.taskId === null ? (
            <Text size="sm">{read(evidence.words)}</Text>
          ) : (
            <Anchor component={Link} to={recordPath(evidence.taskId)} size="sm">
              {read(evidence.words)}
            </Anchor>
          )}
          <Text size="xs" c="dimmed">
            {alerts.byRule(read(alert.ruleText))}
          </Text>
          {acknowledgedBy && acknowledgedAt && (
            <Text size="xs">
              {alerts.seenBy(acknowledgedBy.name, format.time(acknowledgedAt))}
              {note && `: ${note}`}
            </Text>
          )}
        </Stack>
        {children}
      </Group>
    </li>
  );
}

/** Notes that the viewer takes care, with what others should know. */
function Acknowledge({ alert, page }: { readonly alert: AlertOfListFragment; readonly page: AlertsPage }) {
  const { alerts: words } = useI18n().words;
  const read = useAlertText();
  const [isOpen, setOpen] = useState(false);
  const [note, setNote] = useState('');
  const submit = async (): Promise<void> => {
    const { alertId } = alert;
    if (await page.change(AcknowledgeAlertDocument, { input: { alertId, note } })) setOpen(false);
  };
  const name = words.acknowledgeOf(alert.label, read(alert.ruleText));
  return (
    <PopoverForm
      name={name}
      isOpen={isOpen}
      onOpen={setOpen}
      onSubmit={submit}
      button={
        <Button
          size="compact-xs"
          variant="light"
          flex="none"
          aria-label={name}
          onClick={() => setOpen(!isOpen)}
        >
          {words.acknowledge}
        </Button>
      }
    >
      <TextInput
        size="xs"
        label={words.note}
        placeholder={words.noteExample}
        maxLength={500}
        data-autofocus
        value={note}
        onChange={({ currentTarget: { value } }) => setNote(value)}
      />
      <Button size="xs" type="submit">
        {words.acknowledge}
      </Button>
    </PopoverForm>
  );
}
