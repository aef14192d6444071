import { ActionIcon, Tooltip } from '@mantine/core';
import { IconUser } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Me } from '../../lib/auth/auth.ts';
import { useAuth } from '../../lib/auth/use-auth.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';

/** Leads to one's account; nothing where nobody signs in. */
export function AccountButton() {
  const { account } = useWords();
  const { answer: me } = useAuth<Me>('/me');
  if (me === null || me.person === null) return null;
  return (
    <Tooltip label={`${account.title}: ${me.person.name}`}>
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
