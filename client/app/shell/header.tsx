import { ActionIcon, Group, Text, Tooltip } from '@mantine/core';
import { IconMessageChatbot, IconMessageOff } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { useSidePanel } from '../../lib/side-panel.tsx';
import classes from './header.module.css';
import { Navigation } from './navigation.tsx';
import { PaletteButton } from './palette-button.tsx';
import { Preferences } from './preferences.tsx';

/** Where one is, where one can go, and how the pages look. */
export function Header({ hasPanel }: { readonly hasPanel: boolean }) {
  return (
    <Group h="100%" px="md" gap="md" wrap="nowrap" justify="space-between">
      <Group gap="lg" wrap="nowrap">
        <Link to="/chips" className={classes['brand']}>
          <img src="/icon.svg" alt="" width={22} height={22} />
          <Text component="span" fw={650} size="sm">
            QPilot
          </Text>
        </Link>
        <Navigation />
      </Group>
      <Group gap={4} wrap="nowrap">
        <PaletteButton />
        <Preferences />
        {hasPanel && <PanelButton />}
      </Group>
    </Group>
  );
}

function PanelButton() {
  const { common } = useWords();
  const { isOpen, open, close } = useSidePanel();
  const label = isOpen ? common.closePanel : common.openPanel;
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant={isOpen ? 'filled' : 'light'}
        size="lg"
        aria-label={label}
        aria-expanded={isOpen}
        onClick={() => (isOpen ? close() : open())}
      >
        {isOpen ? <IconMessageOff size={18} /> : <IconMessageChatbot size={18} />}
      </ActionIcon>
    </Tooltip>
  );
}
