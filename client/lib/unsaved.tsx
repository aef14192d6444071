/** Words and files that are only on the page: whoever would leave it with them is asked. */
import { Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { useEffect, useSyncExternalStore } from 'react';
import { useBlocker } from 'react-router';
import { useWords } from './i18n/i18n.tsx';

/** Names of what is unsaved, by who named it; another map for each change. */
let unsaved: ReadonlyMap<symbol, string> = new Map();
const listeners = new Set<() => void>();

function change(key: symbol, name: string | null): void {
  unsaved = new Map([...unsaved].filter(([each]) => each !== key).concat(name === null ? [] : [[key, name]]));
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Names what would be lost with the page; null for nothing. */
export function useUnsaved(name: string | null): void {
  useEffect(() => {
    if (name === null) return;
    const key = Symbol(name);
    change(key, name);
    return () => change(key, null);
  }, [name]);
}

/** Asks before another page is opened here; before the tab is closed the browser asks, in its own words. */
export function UnsavedGuard() {
  const names = useSyncExternalStore(subscribe, () => unsaved);
  // Where nothing is unsaved nothing blocks: the router takes every link within a page, such as one to a source, amiss.
  return names.size > 0 && <Guard names={[...names.values()]} />;
}

function Guard({ names }: { readonly names: readonly string[] }) {
  const { common } = useWords();
  const blocker = useBlocker(({ currentLocation: from, nextLocation: to }) => from.pathname !== to.pathname);
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
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
          {names.map((name, index) => (
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
