import { ActionIcon, Tooltip } from '@mantine/core';
import { IconPin } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useWords } from '../../lib/i18n/i18n.tsx';
import type { Pinned } from './pin-dialog.tsx';

const PinDialog = lazy(async () => ({ default: (await import('./pin-dialog.tsx')).PinDialog }));

/** Pins what it stands beside to a board. */
export function PinButton({ title, pinned }: { readonly title: string; readonly pinned: Pinned }) {
  const { boards } = useWords();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Tooltip label={boards.pin}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={boards.pinOf(title)}
          onClick={() => setOpen(true)}
        >
          <IconPin size={16} />
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
