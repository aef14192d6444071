import { ActionIcon, Tooltip } from '@mantine/core';
import { IconPin } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useWords } from '../../lib/i18n/i18n.tsx';
import type { Pinned } from './pin-dialog.tsx';

const PinDialog = lazy(async () => ({ default: (await import('./pin-dialog.tsx')).PinDialog }));

type PinButtonProps = {
  readonly title: string;
  readonly pinned: Pinned;
  /** As large as the actions of an answer. */
  readonly isSmall?: boolean;
};

/** Pins what it stands beside to a board. */
export function PinButton({ title, pinned, isSmall = false }: PinButtonProps) {
  const { boards } = useWords();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Tooltip label={boards.pin}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={isSmall ? 'sm' : 'md'}
          aria-label={boards.pinOf(title)}
          onClick={() => setOpen(true)}
        >
          <IconPin size={isSmall ? 15 : 16} />
        </ActionIcon>
      </Tooltip>
      {isOpen && (
        <Suspense>
          <PinDialog title={title} pinned={pinned} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
