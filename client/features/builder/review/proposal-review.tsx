import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { useBuilder } from '../session/builder-provider.tsx';
import { DiffPartView } from './diff-view.tsx';
import { partsOfDiff, type ShownDiff } from './diff-part.ts';
import classes from './diff.module.css';

/** What the builder would change: each part is accepted or rejected, by pointer or by key. */
export function ProposalReview({ diff }: { readonly diff: ShownDiff }) {
  const { builder: words } = useWords();
  const { decide, writing } = useBuilder();
  const [isSending, setSending] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const decided = useRef<number | null>(null);
  const parts = partsOfDiff(diff);
  const all = parts.map(({ id }) => id);
  const isBusy = isSending || writing !== null;

  const settle = async (accept: readonly string[], reject: readonly string[]): Promise<void> => {
    if (isBusy) return;
    setSending(true);
    await decide(accept, reject);
    setSending(false);
  };
  const focusPart = (index: number): void => {
    const item = list.current?.children[Math.max(0, Math.min(index, parts.length - 1))];
    if (item instanceof HTMLElement) item.focus();
  };
  // After a decision by key the next part takes the place of the decided one.
  useEffect(() => {
    const index = decided.current;
    decided.current = null;
    const items = list.current?.children;
    const item = index === null || !items ? null : items[Math.min(index, items.length - 1)];
    if (item instanceof HTMLElement) item.focus();
  }, [diff]);
  const onKey = (event: KeyboardEvent, index: number, id: string): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || isBusy) return;
    const decideHere = (accept: readonly string[], reject: readonly string[]): void => {
      decided.current = index;
      void settle(accept, reject);
    };
    if (event.key === 'a') decideHere([id], []);
    else if (event.key === 'r') decideHere([], [id]);
    else if (event.key === 'ArrowDown') focusPart(index + 1);
    else if (event.key === 'ArrowUp') focusPart(index - 1);
    else return;
    event.preventDefault();
  };

  return (
    <Paper withBorder p="xs" className={classes['proposal']} component="section" aria-label={words.proposal}>
      <Stack gap={6}>
        <Group justify="space-between" gap="xs">
          <Text size="sm" fw={600}>
            {words.proposal}
          </Text>
          <Group gap={4}>
            <Button size="compact-xs" disabled={isBusy} onClick={() => void settle(all, [])}>
              {words.acceptAll}
            </Button>
            <Button
              size="compact-xs"
              variant="default"
              disabled={isBusy}
              onClick={() => void settle([], all)}
            >
              {words.rejectAll}
            </Button>
          </Group>
        </Group>
        <Text size="xs" c="dimmed">
          {words.decisionsFirst} {words.proposalHint}
        </Text>
        <ul className={classes['parts']} ref={list}>
          {parts.map((part, index) => (
            <li key={part.id} tabIndex={0} onKeyDown={(event) => onKey(event, index, part.id)}>
              <DiffPartView part={part} />
              <Group gap={4} mt={4}>
                <Button
                  size="compact-xs"
                  variant="light"
                  disabled={isBusy}
                  onClick={() => void settle([part.id], [])}
                >
                  {words.accept}
                </Button>
                <Button
                  size="compact-xs"
                  variant="default"
                  disabled={isBusy}
                  onClick={() => void settle([], [part.id])}
                >
                  {words.reject}
                </Button>
              </Group>
            </li>
          ))}
        </ul>
      </Stack>
    </Paper>
  );
}
