import { ActionIcon, Anchor, Button, CopyButton, Group, Menu, Text, Title, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import {
  IconCopy,
  IconDeviceTv,
  IconDots,
  IconLink,
  IconLock,
  IconPencil,
  IconPrinter,
  IconRefresh,
  IconTrash,
  IconUsers,
} from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useClient } from 'urql';
import { useConfirm } from '../../components/second-thoughts.tsx';
import { TimeRangePicker } from '../../components/time-range/time-range-picker.tsx';
import { toRange, type Times } from '../../components/time-range/time-range.ts';
import { DeleteBoardDocument, type BoardPartsFragment, type BoardVisibility } from '../../gql/graphql.ts';
import { useRefusal } from '../../lib/graphql/refusal.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import type { BoardChange } from './board-changes.ts';
import classes from './boards.module.css';
import { TitleDialog } from './title-dialog.tsx';

type BoardHeaderProps = {
  readonly board: BoardPartsFragment;
  readonly times: Times;
  readonly onTimes: (times: Times) => void;
  /** Whether the times are those that the board keeps. */
  readonly isOfBoard: boolean;
  readonly onChange: (change: BoardChange) => void;
  readonly onRefresh: () => void;
};

const VISIBILITIES = ['PRIVATE', 'PROJECT', 'LINK'] as const satisfies readonly BoardVisibility[];
const ICONS = { PRIVATE: IconLock, PROJECT: IconUsers, LINK: IconLink };

/** The title of a board, its times, and what can be done with it. */
export function BoardHeader({ board, times, onTimes, isOfBoard, onChange, onRefresh }: BoardHeaderProps) {
  const { boards, times: words } = useWords();
  const { title, mayChange, isOwn, owner } = board;
  const keepTimes = (): void => {
    const range = toRange(times);
    onChange((now) => ({
      ...now,
      range: range && {
        __typename: 'TimeRange',
        kind: range.kind,
        hours: range.hours ?? null,
        from: range.from ?? null,
        to: range.to ?? null,
      },
    }));
  };
  return (
    <>
      <Group justify="space-between">
        <Group gap="xs" align="baseline">
          <Anchor component={Link} to="/boards" size="sm" className={classes['tools'] ?? ''}>
            {boards.title}
          </Anchor>
          <Text span c="dimmed" aria-hidden="true" className={classes['tools'] ?? ''}>
            /
          </Text>
          <Title order={1}>{title}</Title>
        </Group>
        <Group gap="xs" className={classes['tools'] ?? ''}>
          <TimeRangePicker times={times} onTimes={onTimes} none={words.own} hasCooldown />
          {mayChange && !isOfBoard && (
            <Button size="xs" variant="light" onClick={keepTimes}>
              {words.keep}
            </Button>
          )}
          {isOwn && <VisibilityMenu board={board} onChange={onChange} />}
          <Tooltip label={boards.refresh}>
            <ActionIcon variant="default" size="md" aria-label={boards.refresh} onClick={onRefresh}>
              <IconRefresh size={16} />
            </ActionIcon>
          </Tooltip>
          <MoreMenu board={board} onChange={onChange} />
        </Group>
      </Group>
      {!mayChange && (
        <Text size="xs" c="dimmed" role="note" className={classes['tools'] ?? ''}>
          {boards.readOnly(owner.name)}
        </Text>
      )}
    </>
  );
}

function VisibilityMenu({
  board: { visibility, shareLink },
  onChange,
}: Pick<BoardHeaderProps, 'board' | 'onChange'>) {
  const { boards, sharing } = useWords();
  const Icon = ICONS[visibility];
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon size={14} aria-hidden />}
          aria-label={`${boards.whoReads}: ${boards.visibility[visibility]}`}
        >
          {boards.visibility[visibility]}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{boards.whoReads}</Menu.Label>
        {VISIBILITIES.map((each) => {
          const Of = ICONS[each];
          return (
            <Menu.Item
              key={each}
              leftSection={<Of size={15} />}
              fw={each === visibility ? 600 : 400}
              onClick={() => onChange((now) => ({ ...now, visibility: each }))}
            >
              {boards.visibility[each]}
            </Menu.Item>
          );
        })}
        {visibility === 'LINK' && shareLink && (
          <CopyButton value={location.origin + shareLink}>
            {({ copied, copy }) => (
              <Menu.Item leftSection={<IconCopy size={15} />} closeMenuOnClick={false} onClick={copy}>
                {copied ? sharing.linkCopied : sharing.copyLink}
              </Menu.Item>
            )}
          </CopyButton>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function MoreMenu({ board, onChange }: Pick<BoardHeaderProps, 'board' | 'onChange'>) {
  const { boards } = useWords();
  const confirm = useConfirm();
  const client = useClient();
  const refusal = useRefusal();
  const navigate = useNavigate();
  const [isNaming, setNaming] = useState(false);
  const remove = async (): Promise<void> => {
    const { data, error } = await client
      .mutation(DeleteBoardDocument, { input: { boardId: board.id } })
      .toPromise();
    const problem = refusal(data?.deleteBoard, error);
    if (problem === null) void navigate('/boards');
    else notifications.show({ color: 'red', message: problem });
  };
  const askRemove = () =>
    confirm({
      title: boards.removeTitle,
      text: boards.removeText(board.title, board.items.length),
      confirm: boards.remove,
      cancel: boards.cancel,
      onConfirm: () => void remove(),
    });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size="md" aria-label={boards.more}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {/* After the menu is gone: it is not printed. */}
          <Menu.Item leftSection={<IconPrinter size={15} />} onClick={() => setTimeout(() => print(), 300)}>
            {boards.print}
          </Menu.Item>
          <Menu.Item leftSection={<IconDeviceTv size={15} />} component={Link} to={wallOf(location.search)}>
            {boards.wall}
          </Menu.Item>
          {board.mayChange && (
            <>
              <Menu.Divider />
              <Menu.Item leftSection={<IconPencil size={15} />} onClick={() => setNaming(true)}>
                {boards.rename}
              </Menu.Item>
              <Menu.Item leftSection={<IconTrash size={15} />} c="red" onClick={askRemove}>
                {boards.remove}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {isNaming && (
        <TitleDialog
          label={boards.name}
          title={board.title}
          onClose={() => setNaming(false)}
          onTitle={(title) => onChange((now) => ({ ...now, title }))}
        />
      )}
    </>
  );
}

/** The same address for the wall, in the same times. */
function wallOf(search: string): string {
  const query = new URLSearchParams(search);
  query.set('wall', '');
  return `?${query}`;
}
