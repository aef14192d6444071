import { ActionIcon, Tooltip } from '@mantine/core';
import { IconUser } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useMe } from '../../lib/graphql/project.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';

/** Leads to one's account; nothing where nobody signs in. */
export function AccountButton() {
  const { account } = useWords();
  const person = useMe()?.person ?? null;
  if (person === null) return null;
  return (
    <Tooltip label={`${account.title}: ${person.name}`}>
      <ActionIcon
        component={Link}
        to="/account"
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={account.title}
      >
        <IconUser size={18} />
      </ActionIcon>
    </Tooltip>
  );
}
