import { ActionIcon, Tooltip } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useWords } from '../../lib/i18n/i18n.tsx';

const Palette = lazy(async () => ({
  default: (await import('../../features/palette/palette.tsx')).Palette,
}));

/** Opens the palette, as Ctrl+K (⌘K) does on every page, also while one writes. */
export function PaletteButton() {
  const { common } = useWords();
  const [isOpen, palette] = useDisclosure();
  useHotkeys([['mod+K', palette.toggle]], []);
  return (
    <>
      <Tooltip label={`${common.goTo} (${common.goToKeys})`}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={common.goTo}
          aria-keyshortcuts="Control+K Meta+K"
          onClick={palette.open}
        >
          <IconSearch size={18} />
        </ActionIcon>
      </Tooltip>
      {isOpen && (
        <Suspense>
          <Palette onClose={palette.close} />
        </Suspense>
      )}
    </>
  );
}
