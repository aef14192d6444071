import { ActionIcon, Button, Group, Paper, Text, Title } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useQuery } from 'urql';
import { TourChipsDocument } from '../../gql/graphql.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { useSidePanel } from '../../lib/side-panel.tsx';
import classes from './tour.module.css';
import { usePointedAt } from './use-pointed-at.ts';

/** What each step points at; `place` is the page of a chip, or that of all boards. */
const STEPS = [
  { name: 'changes', place: 'chip', target: '[data-tour=changes]' },
  { name: 'map', place: 'chip', target: '[data-tour=map]' },
  { name: 'ask', place: 'chip', target: '[data-tour=panel]' },
  { name: 'keep', place: 'boards', target: 'nav a[href$="/boards"]' },
] as const;

/** Four steps through the pages, each a click; Escape or the cross ends it. */
export function Tour({ onEnd }: { readonly onEnd: () => void }) {
  const { tour, common } = useWords();
  const [{ data }] = useQuery({ query: TourChipsDocument });
  const [index, setIndex] = useState(0);
  const step = STEPS[index] ?? STEPS[0];
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { open } = useSidePanel();
  const heading = useRef<HTMLHeadingElement>(null);
  const chipId = data?.chips[0]?.chipId;
  const chipPath = chipId === undefined ? '/chips' : `/chips/${encodeURIComponent(chipId)}`;
  useEffect(() => {
    const isOnChip = /^\/chips\/[^/]+$/u.test(pathname);
    if (step.place === 'boards') void navigate('/boards');
    else if (data && !isOnChip) void navigate(chipPath);
    if (step.name === 'ask') open();
    heading.current?.focus({ preventScroll: true });
    // A page that is opened meanwhile by hand is not left again.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [step, data]);
  usePointedAt(step.target);
  useHotkeys([['Escape', onEnd]], []);
  const isLast = index === STEPS.length - 1;
  return (
    <Paper
      className={classes['tour']}
      role="dialog"
      aria-label={tour.title}
      withBorder
      shadow="lg"
      p="md"
      component="section"
    >
      <Group justify="space-between" wrap="nowrap" align="start">
        <Title order={2} ref={heading} tabIndex={-1} className={classes['heading']}>
          {tour.steps[step.name].title}
        </Title>
        <ActionIcon variant="subtle" color="gray" aria-label={tour.end} onClick={onEnd}>
          <IconX size={16} />
        </ActionIcon>
      </Group>
      <Text size="sm" my="xs">
        {tour.steps[step.name].text}
      </Text>
      <Group justify="space-between">
        <Text size="xs" c="dimmed">
          {tour.step(index + 1, STEPS.length)}
        </Text>
        <Group gap="xs">
          {index > 0 && (
            <Button size="xs" variant="default" onClick={() => setIndex(index - 1)}>
              {tour.back}
            </Button>
          )}
          <Button size="xs" onClick={() => (isLast ? onEnd() : setIndex(index + 1))}>
            {isLast ? common.close : tour.next}
          </Button>
        </Group>
      </Group>
    </Paper>
  );
}
