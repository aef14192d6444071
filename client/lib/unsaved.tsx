/** Words and files that are only on the page: whoever would leave it with them is asked. */
import { Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { useWords } from './i18n/i18n.tsx';

const unsaved = new Map<symbol, string>();

/** Names what would be lost with the page; null for nothing. */
export function useUnsaved(name: string | null): void {
  useEffect(() => {
    if (name === null) return;
    const key = Symbol(name);
    unsaved.set(key, name);
    return () => void unsaved.delete(key);
  }, [name]);
}

/** Asks before another page is opened here; before the tab is closed the browser asks, in its own words. */
export function UnsavedGuard() {
  const { common } = useWords();
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) => unsaved.size > 0 && from.pathname !== to.pathname,
  );
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      if (unsaved.size > 0) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, []);
  if (blocker.state !== 'blocked') return null;
  return (
    <Modal
      opened
      onClose={blocker.reset}
      title={common.leaveTitle}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <Stack gap="sm">
        <Text size="sm">{common.leaveText}</Text>
        <List size="sm">
          {[...unsaved.values()].map((name, index) => (
            <List.Item key={index}>{name}</List.Item>
          ))}
        </List>
        <Group gap="xs">
          <Button data-autofocus variant="default" onClick={blocker.reset}>
            {common.stay}
          </Button>
          <Button color="red.9" onClick={blocker.proceed}>
            {common.leave}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
