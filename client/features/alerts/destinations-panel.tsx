import { Alert, Badge, Button, Code, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useConfirm } from '../../components/second-thoughts.tsx';
import { Age } from '../../components/age.tsx';
import { Panel } from '../../components/panel.tsx';
import {
  DeleteAlertDestinationDocument,
  SaveAlertDestinationDocument,
  TestAlertDestinationDocument,
  type AlertsPageQuery,
  type SaveAlertDestinationInput,
} from '../../gql/graphql.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { DeliveryLog } from './delivery-log.tsx';
import classes from './alerts.module.css';
import { DestinationForm } from './destination-form.tsx';
import { useAlertText } from './use-alert-text.ts';
import type { AlertsPage } from './use-alerts.ts';

type Destination = AlertsPageQuery['alertDestinations'][number];

type DestinationsPanelProps = {
  readonly destinations: readonly Destination[];
  readonly mayChange: boolean;
  readonly page: AlertsPage;
};

/** Where messages go, how the last ones went, and a form for admins. */
export function DestinationsPanel({ destinations, mayChange, page }: DestinationsPanelProps) {
  const { alerts } = useWords();
  const confirm = useConfirm();
  const read = useAlertText();
  const [edited, edit] = useState<Destination | 'NEW' | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const save = async (input: SaveAlertDestinationInput): Promise<void> => {
    const done = await page.change(SaveAlertDestinationDocument, { input });
    if (done?.saveAlertDestination.__typename !== 'SaveAlertDestinationPayload') return;
    setSecret(done.saveAlertDestination.secret);
    edit(null);
  };
  const test = async ({ destinationId, name }: Destination): Promise<void> => {
    const done = await page.change(TestAlertDestinationDocument, { input: { destinationId } });
    if (done?.testAlertDestination.__typename !== 'TestAlertDestinationPayload') return;
    const { problem } = done.testAlertDestination;
    notifications.show(
      problem === null ? { message: alerts.arrived(name) } : { color: 'red', message: read(problem) },
    );
  };
  return (
    <Panel
      title={alerts.destinations}
      aside={
        mayChange && (
          <Button
            size="xs"
            leftSection={<IconPlus size={14} />}
            // Another form would take the words of the open one with it.
            disabled={edited !== null}
            onClick={() => edit('NEW')}
          >
            {alerts.newDestination}
          </Button>
        )
      }
    >
      {secret !== null && (
        <Alert
          color="blue"
          title={alerts.secretTitle}
          withCloseButton
          closeButtonLabel={alerts.cancel}
          onClose={() => setSecret(null)}
        >
          <Text size="sm">{alerts.secretText}</Text>
          <Code>{secret}</Code>
        </Alert>
      )}
      {edited !== null && (
        <DestinationForm
          key={edited === 'NEW' ? '' : edited.destinationId}
          destination={edited === 'NEW' ? null : edited}
          onSave={save}
          onCancel={() => edit(null)}
        />
      )}
      {destinations.length === 0 && (
        <Text size="sm" c="dimmed">
          {mayChange ? alerts.noDestinations : alerts.noDestinationsYet}
        </Text>
      )}
      <ul className={classes['list']}>
        {destinations.map((destination) => (
          <li key={destination.destinationId}>
            <Group justify="space-between" wrap="nowrap" align="flex-start">
              <Stack gap={2}>
                <Group gap="xs">
                  <Text size="sm" fw={650}>
                    {destination.name}
                  </Text>
                  <Badge variant="light" color="gray">
                    {alerts.kinds[destination.kind]}
                  </Badge>
                  <Text size="sm" c="dimmed">
                    {destination.target}
                  </Text>
                  {destination.disabledAt !== null && <Badge color="red.9">{alerts.switchedOff}</Badge>}
                </Group>
                {destination.disabledReason !== null && (
                  <Text size="xs" c="red">
                    {alerts.offBecause(read(destination.disabledReason))}
                  </Text>
                )}
                {destination.disabledAt === null && destination.failingSince !== null && (
                  <Text size="xs" c="red">
                    {alerts.failing} <Age at={destination.failingSince} />
                  </Text>
                )}
                {destination.events.length > 0 && (
                  <Text size="xs" c="dimmed">
                    {alerts.toldOf(destination.events.map((event) => alerts.events[event]))}
                  </Text>
                )}
                {destination.quietHours && (
                  <Text size="xs" c="dimmed">
                    {alerts.quiet(
                      destination.quietHours.from,
                      destination.quietHours.to,
                      destination.quietHours.timeZone,
                      destination.quietHours.weekends,
                    )}
                  </Text>
                )}
                {!destination.sendsRecoveries && (
                  <Text size="xs" c="dimmed">
                    {alerts.noRecoveries}
                  </Text>
                )}
                <DeliveryLog destination={destination} mayChange={mayChange} page={page} />
              </Stack>
              {mayChange && (
                <Group gap={4} wrap="nowrap" flex="none">
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={alerts.testOf(destination.name)}
                    onClick={() => void test(destination)}
                  >
                    {alerts.test}
                  </Button>
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={alerts.changeOf(destination.name)}
                    disabled={edited !== null}
                    onClick={() => edit(destination)}
                  >
                    {alerts.change}
                  </Button>
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={alerts.removeOf(destination.name)}
                    onClick={() =>
                      confirm({
                        title: alerts.removeDestinationTitle(destination.name),
                        text: alerts.removeDestinationText(destination.target),
                        confirm: alerts.remove,
                        cancel: alerts.cancel,
                        onConfirm: () =>
                          void page.change(DeleteAlertDestinationDocument, {
                            input: { destinationId: destination.destinationId },
                          }),
                      })
                    }
                  >
                    {alerts.remove}
                  </Button>
                </Group>
              )}
            </Group>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
