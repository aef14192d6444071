import { Button, Group } from '@mantine/core';
import type { TurnView } from '@qpilot/client/view';
import { Link } from 'react-router';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { remediesOf, type Remedy } from '../model/turn-rules.ts';

type RemediesProps = {
  readonly turn: TurnView;
  /** The conversation runs a turn, so nothing can be started. */
  readonly isBusy: boolean;
  readonly onRetry: () => void;
  readonly onEdit: () => void;
};

/** What can be done about a turn that was not answered, the best first. */
export const Remedies = ({ turn, ...rest }: RemediesProps) => (
  <Group gap="xs" mt="xs">
    {remediesOf(turn).map((remedy) => (
      <RemedyButton key={remedy} remedy={remedy} {...rest} />
    ))}
  </Group>
);

const LOOK = { size: 'compact-sm', variant: 'default' } as const;

function RemedyButton({
  remedy,
  isBusy,
  onRetry,
  onEdit,
}: Omit<RemediesProps, 'turn'> & { readonly remedy: Remedy }) {
  const { copilot } = useWords();
  switch (remedy) {
    case 'retry':
      return (
        <Button {...LOOK} disabled={isBusy} onClick={onRetry}>
          {copilot.remedies.retry}
        </Button>
      );
    case 'edit':
      return (
        <Button {...LOOK} disabled={isBusy} onClick={onEdit}>
          {copilot.remedies.edit}
        </Button>
      );
    case 'settings':
      return (
        <Button {...LOOK} component={Link} to="/settings">
          {copilot.remedies.settings}
        </Button>
      );
    default:
      return remedy satisfies never;
  }
}
