import { ActionIcon, Container, Group, Stack, Text, Title, Tooltip, VisuallyHidden } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { IconX } from '@tabler/icons-react';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import { PageLoadError } from '../../components/load-error.tsx';
import { PageSkeleton } from '../../components/page-skeleton.tsx';
import { PageTitle } from '../../components/page-title.tsx';
import {
  fromRange,
  readTimes,
  toRange,
  writeTimes,
  type Times,
} from '../../components/time-range/time-range.ts';
import { useSetPart } from '../../components/time-range/use-times-of-page.ts';
import { timesText } from '../../components/time-range/time-range-picker.tsx';
import { useI18n } from '../../lib/i18n/i18n.tsx';
import { ChipUpdates } from '../chips/chip-updates.tsx';
import { BoardCard } from './board-card.tsx';
import { chipOf, moveItem } from './board-changes.ts';
import { BoardHeader } from './board-header.tsx';
import classes from './boards.module.css';
import { ItemMenu } from './item-menu.tsx';
import { useBoard } from './use-board.ts';
import { useDragging } from './use-dragging.ts';

/** How often everything is read again, for times that go on with the clock. New results of a chip are read at once. */
const ROUND_MS = 60_000;
/** In the address: each its own times, whatever the board has. */
const OWN = 'own';

/** A board: `/boards/:boardId`; with `?wall` for a screen that nobody sits at, with `?time=` in other times. */
export function BoardPage() {
  const { boardId = '' } = useParams();
  const { words, format } = useI18n();
  const { boards } = words;
  const [query] = useSearchParams();
  const setPart = useSetPart();
  const { board, error, isSaving, retry, change } = useBoard(boardId);
  const [round, setRound] = useState(0);
  const [moved, setMoved] = useState('');
  const isWall = query.has('wall');
  const itemIds = board?.items.map(({ itemId }) => itemId) ?? [];
  const { drag, handle } = useDragging(itemIds);
  const move = (itemId: string, title: string, by: number): void => {
    const from = itemIds.indexOf(itemId);
    const to = Math.min(itemIds.length - 1, Math.max(0, from + by));
    if (to === from) return;
    change(moveItem(itemId, by));
    setMoved(boards.moved(title, to + 1, itemIds.length));
  };
  useInterval(() => setRound((count) => count + 1), ROUND_MS, { autoInvoke: true });
  useLargeType(isWall);
  const asked = query.get('time');
  const kept = board?.range ?? null;
  const times = useMemo(
    () => (asked === null ? fromRange(kept) : asked === OWN ? null : readTimes(asked)),
    [asked, kept],
  );
  const range = useMemo(() => toRange(times), [times]);
  if (board === null) return <UnknownBoard />;
  if (board === undefined)
    return error ? (
      <PageLoadError title={boards.title} error={error} onRetry={retry} />
    ) : (
      <PageSkeleton title={boards.title} />
    );
  const isOfBoard = (chosen: Times): boolean => writeTimes(chosen) === writeTimes(fromRange(kept));
  const setTimes = (chosen: Times): void => {
    setPart('time', isOfBoard(chosen) ? null : (writeTimes(chosen) ?? OWN));
  };
  const { items, mayChange } = board;
  const dragOf = (itemId: string) =>
    itemId === drag?.itemId ? 'dragged' : itemId === drag?.overId ? 'over' : null;
  return (
    <Stack p="md" gap="sm" className={classes['page'] ?? ''} aria-busy={isSaving}>
      <PageTitle>{board.title}</PageTitle>
      {isWall ? (
        <WallHeader title={board.title} />
      ) : (
        <BoardHeader
          board={board}
          times={times}
          onTimes={setTimes}
          isOfBoard={isOfBoard(times)}
          onChange={change}
          onRefresh={() => setRound(round + 1)}
        />
      )}
      <Text size="sm" className={classes['paper'] ?? ''}>
        {[
          timesText(times, words.times.own, words.times, format),
          boards.printed(format.time(new Date().toISOString())),
        ].join(' · ')}
      </Text>
      {items.length === 0 && <Text c="dimmed">{boards.empty}</Text>}
      <div className={classes['grid']}>
        {items.map((item, index) => {
          const chipId = chipOf(item);
          return (
            <Watched key={item.itemId} chipId={chipId}>
              <BoardCard
                boardId={board.id}
                item={item}
                chipId={chipId}
                range={range}
                round={round}
                drag={dragOf(item.itemId)}
                tools={(title) =>
                  mayChange &&
                  !isWall && (
                    <ItemMenu
                      item={item}
                      title={title}
                      place={index + 1}
                      of={items.length}
                      onChange={change}
                      onMove={(by) => move(item.itemId, title, by)}
                      handle={handle(item.itemId, (by) => move(item.itemId, title, by))}
                    />
                  )
                }
              />
            </Watched>
          );
        })}
      </div>
      <VisuallyHidden role="status">{moved}</VisuallyHidden>
    </Stack>
  );
}

/** Has what is below it read again when the chip has new results. */
const Watched = ({ chipId, children }: { readonly chipId: string | null; readonly children: ReactNode }) =>
  chipId === null ? children : <ChipUpdates chipId={chipId}>{children}</ChipUpdates>;

/** Letters that are read from across the room, as long as the page is on the wall. */
function useLargeType(isWall: boolean): void {
  useEffect(() => {
    if (!isWall) return;
    const { style } = document.documentElement;
    style.setProperty('font-size', '135%');
    return () => void style.removeProperty('font-size');
  }, [isWall]);
}

function WallHeader({ title }: { readonly title: string }) {
  const { words, format } = useI18n();
  const [now, setNow] = useState(() => new Date());
  useInterval(() => setNow(new Date()), 1_000 * 10, { autoInvoke: true });
  return (
    <Group justify="space-between" wrap="nowrap">
      <Title order={1}>{title}</Title>
      <Group gap="xs" wrap="nowrap">
        <Text size="lg">{format.time(now.toISOString())}</Text>
        <Tooltip label={words.boards.leaveWall}>
          <ActionIcon
            component={Link}
            to="?"
            variant="subtle"
            color="gray"
            aria-label={words.boards.leaveWall}
          >
            <IconX size={18} />
          </ActionIcon>
        </Tooltip>
      </Group>
    </Group>
  );
}

function UnknownBoard() {
  const { boards } = useI18n().words;
  return (
    <Container size="sm" py="xl">
      <PageTitle>{boards.unknown}</PageTitle>
      <Stack align="flex-start">
        <Title order={1}>{boards.unknown}</Title>
        <Link to="/boards">{boards.toBoards}</Link>
      </Stack>
    </Container>
  );
}
