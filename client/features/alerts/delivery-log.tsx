import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { Age } from '../../components/age.tsx';
import { SendAlertDeliveryAgainDocument, type AlertsPageQuery } from '../../gql/graphql.ts';
import { useFormat, useWords } from '../../lib/i18n/i18n.tsx';
import { useAlertText } from './use-alert-text.ts';
import type { AlertsPage } from './use-alerts.ts';

type Destination = AlertsPageQuery['alertDestinations'][number];
type Delivery = Destination['deliveries'][number];

type DeliveryLogProps = {
  readonly destination: Destination;
  readonly mayChange: boolean;
  readonly page: AlertsPage;
};

/** A folded log shows at most so many that failed or wait. */
const SHOWN = 4;

/** The last messages to a destination; folded, the newest and those that failed or wait. */
export function DeliveryLog({ destination: { name, deliveries }, mayChange, page }: DeliveryLogProps) {
  const { alerts } = useWords();
  const [isOpen, setOpen] = useState(false);
  const folded = deliveries.filter(({ state }, index) => index === 0 || state !== 'SENT').slice(0, SHOWN);
  const shown = isOpen ? deliveries : folded;
  return (
    <>
      {shown.map((delivery) => (
        <Group key={delivery.deliveryId} gap="xs">
          <DeliveryText {...delivery} />
          {mayChange && (isOpen || delivery.state === 'FAILED') && (
            <Button
              size="compact-xs"
              variant="default"
              onClick={() =>
                void page.change(SendAlertDeliveryAgainDocument, {
                  input: { deliveryId: delivery.deliveryId },
                })
              }
            >
              {alerts.sendAgain}
            </Button>
          )}
        </Group>
      ))}
      {deliveries.length > 1 && (
        <Group>
          <Button
            size="compact-xs"
            variant="default"
            aria-expanded={isOpen}
            aria-label={isOpen ? alerts.lessOfLogOf(name) : alerts.logOf(name)}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? alerts.lessOfLog : alerts.log}
          </Button>
        </Group>
      )}
    </>
  );
}

/** What it is about, how far it came, what the receiver answered, and when it is tried again. */
function DeliveryText({
  about,
  state,
  alertCount,
  attempts,
  error,
  responseCode,
  nextAt,
  createdAt,
}: Delivery) {
  const { alerts } = useWords();
  const format = useFormat();
  const read = useAlertText();
  const details = [
    error === null && responseCode !== null && String(responseCode),
    error !== null && read(error),
    nextAt !== null && attempts > 0 && alerts.nextTry(format.time(nextAt)),
  ].filter(Boolean);
  return (
    <Text size="xs" c={state === 'FAILED' ? 'red' : 'dimmed'}>
      {alerts.delivery(about, alerts.states[state], alertCount, attempts)} <Age at={createdAt} />
      {details.length > 0 && `: ${details.join('; ')}`}
    </Text>
  );
}
