import { ActionIcon, Group, Menu, Tooltip } from '@mantine/core';
import {
  IconArrowBarToUp,
  IconArrowLeft,
  IconArrowRight,
  IconArrowsDiagonal,
  IconArrowsDiagonalMinimize,
  IconDots,
  IconGripVertical,
  IconPencil,
  IconPinnedOff,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useUndoNotice } from '../../components/second-thoughts.tsx';
import type { BoardItemPartsFragment } from '../../gql/graphql.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { changeItem, removeItem, returnItem, widenItem, type BoardChange } from './board-changes.ts';
import classes from './boards.module.css';
import { TitleDialog } from './title-dialog.tsx';
import type { Handle } from './use-dragging.ts';

type ItemMenuProps = {
  readonly item: BoardItemPartsFragment;
  readonly title: string;
  readonly place: number;
  readonly of: number;
  readonly onChange: (change: BoardChange) => void;
  readonly onMove: (by: number) => void;
  /** By which it is dragged. */
  readonly handle: Handle;
};

/** Arranges an item: by a handle, and by a menu. */
export function ItemMenu({ item, title, place, of, onChange, onMove, handle }: ItemMenuProps) {
  const { boards } = useWords();
  const offerUndo = useUndoNotice();
  const [isNaming, setNaming] = useState(false);
  const { itemId, span } = item;
  const icon = 15;
  return (
    <Group gap={0} wrap="nowrap" className={classes['tools'] ?? ''}>
      <Tooltip label={boards.dragHint}>
        <ActionIcon
          {...handle}
          className={classes['handle'] ?? ''}
          variant="subtle"
          color="gray"
          aria-label={boards.drag(title)}
          aria-description={boards.dragHint}
        >
          <IconGripVertical size={16} />
        </ActionIcon>
      </Tooltip>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={boards.itemMenu(title)}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconArrowBarToUp size={icon} />}
            disabled={place === 1}
            onClick={() => onMove(-of)}
          >
            {boards.first}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconArrowLeft size={icon} />}
            disabled={place === 1}
            onClick={() => onMove(-1)}
          >
            {boards.earlier}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconArrowRight size={icon} />}
            disabled={place === of}
            onClick={() => onMove(1)}
          >
            {boards.later}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconArrowsDiagonal size={icon} />}
            disabled={span === 3}
            onClick={() => onChange(widenItem(item, 1))}
          >
            {boards.wider}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconArrowsDiagonalMinimize size={icon} />}
            disabled={span === 1}
            onClick={() => onChange(widenItem(item, -1))}
          >
            {boards.narrower}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<IconPencil size={icon} />} onClick={() => setNaming(true)}>
            {boards.renameItem}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconPinnedOff size={icon} />}
            c="red"
            onClick={() => {
              onChange(removeItem(itemId));
              offerUndo(boards.unpinned(title), () => onChange(returnItem(item, place - 1)));
            }}
          >
            {boards.unpin}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isNaming && (
        <TitleDialog
          label={boards.itemTitle}
          title={item.title ?? ''}
          mayBeEmpty
          onClose={() => setNaming(false)}
          onTitle={(given) => onChange(changeItem(itemId, { title: given === '' ? null : given }))}
        />
      )}
    </Group>
  );
}
