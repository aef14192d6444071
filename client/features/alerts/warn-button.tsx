import { ActionIcon, Tooltip } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { draftText, type RuleDraft } from './rule-draft.ts';

type WarnButtonProps = {
  readonly chipId: string;
  readonly metric: {
    readonly name: string;
    readonly title: string;
    readonly unit: string;
    readonly scope: RuleDraft['scope'];
    readonly direction: string;
    readonly bad: number | null;
    readonly good: number | null;
  };
  /** `Q27`; left out: any. */
  readonly part?: string;
};

/** Opens the form of a rule that warns of what is beside it: values past the limit of the metric, else a large change. */
export function WarnButton({ chipId, metric, part = '' }: WarnButtonProps) {
  const { alerts } = useWords();
  const limit = metric.bad ?? metric.good;
  const shared = { chipId, scope: metric.scope, part, metric, days: 7 };
  const text =
    limit === null
      ? draftText({ ...shared, condition: 'FALLS', amount: 50 })
      : draftText({
          ...shared,
          condition: metric.direction === 'LOWER_IS_BETTER' ? 'ABOVE' : 'BELOW',
          amount: limit,
        });
  return (
    <Tooltip label={alerts.warn}>
      <ActionIcon
        component={Link}
        to={`/alerts?${new URLSearchParams({ rule: text })}`}
        variant="subtle"
        color="gray"
        aria-label={alerts.warnOf(metric.title)}
      >
        <IconBell size={16} />
      </ActionIcon>
    </Tooltip>
  );
}
