import { ActionIcon, Group, Menu, Text, Tooltip } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconMenu2, IconMessageChatbot, IconMessageOff, IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useState, type ComponentType } from 'react';
import { Link, NavLink } from 'react-router';
import { AlertCount } from '../../features/alerts/alert-count.tsx';
import { AccountButton } from '../../features/account/account-button.tsx';
import { useMe } from '../../lib/graphql/project.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { PLACES } from '../../lib/places.ts';
import { useSidePanel } from '../../lib/side-panel.tsx';
import classes from './header.module.css';
import { Preferences } from './preferences.tsx';
import { ProjectMenu } from './project-menu.tsx';

/** Where one is, where one can go, and how the pages look. */
export function Header({ hasPanel }: { readonly hasPanel: boolean }) {
  const [isTouring, tour] = useDisclosure();
  const hasSeveral = (useMe()?.projects.length ?? 0) > 1;
  return (
    <Group h="100%" px={{ base: 'xs', xs: 'md' }} gap="xs" wrap="nowrap" justify="space-between">
      <Group gap={4} wrap="nowrap" miw={0}>
        <Group gap="xs" wrap="nowrap" miw={0} className={hasSeveral ? (classes['besideProject'] ?? '') : ''}>
          <Link to="/chips" className={classes['brand']} aria-label="QPilot">
            <img src="/icon.svg" alt="" width={22} height={22} />
            <Text component="span" fw={650} size="sm" className={classes['name'] ?? ''}>
              QPilot
            </Text>
          </Link>
          <ProjectMenu />
        </Group>
        <Navigation isNarrowUntil={hasSeveral ? 'lg' : 'sm'} />
      </Group>
      <Group gap={4} wrap="nowrap" flex="none">
        <Suspense>
          <TourOffer isTaken={isTouring} onTake={tour.open} />
          {isTouring && <Tour onEnd={tour.close} />}
        </Suspense>
        <PaletteButton />
        <KeysOnDemand onTour={tour.open} />
        <Preferences />
        <AccountButton />
        {hasPanel && <PanelButton />}
      </Group>
    </Group>
  );
}

function PanelButton() {
  const { common } = useWords();
  const { isOpen, open, close } = useSidePanel();
  const label = isOpen ? common.closePanel : common.openPanel;
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant={isOpen ? 'filled' : 'light'}
        size="lg"
        aria-label={label}
        aria-expanded={isOpen}
        onClick={() => (isOpen ? close() : open())}
      >
        {isOpen ? <IconMessageOff size={18} /> : <IconMessageChatbot size={18} />}
      </ActionIcon>
    </Tooltip>
  );
}

/** Links to the pages; behind one button where the screen is narrow. */
function Navigation({ isNarrowUntil }: { readonly isNarrowUntil: 'sm' | 'lg' }) {
  const { common } = useWords();
  return (
    <nav aria-label={common.navigation} className={classes['navigation']}>
      <Group gap={2} wrap="nowrap" visibleFrom={isNarrowUntil}>
        {PLACES.map(({ to, name }) => (
          <NavLink key={to} to={to} className={classes['link'] ?? ''}>
            {common[name]}
            {name === 'alerts' && <AlertCount />}
          </NavLink>
        ))}
      </Group>
      <Menu>
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={common.menu}
            hiddenFrom={isNarrowUntil}
          >
            <IconMenu2 size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {PLACES.map(({ to, name }) => (
            <Menu.Item key={to} component={NavLink} to={to}>
              {common[name]}
              {name === 'alerts' && <AlertCount />}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </nav>
  );
}

const loadPalette = async () => ({
  default: (await import('../../features/palette/palette.tsx')).Palette,
});
const Palette = lazy(loadPalette);
/** After a page has come: letters that are typed before the palette is there are lost. */
const PALETTE_AFTER_MS = 1_000;

const TourOffer = lazy(async () => ({
  default: (await import('../../features/tour/tour-offer.tsx')).TourOffer,
}));

const Tour = lazy(async () => ({ default: (await import('../../features/tour/tour.tsx')).Tour }));

const Keys = lazy(async () => ({ default: (await import('./keys.tsx')).Keys }));

/** Lists all keys when `?` is pressed, but for while one writes. */
function KeysOnDemand({ onTour }: { readonly onTour: () => void }) {
  const [isOpen, keys] = useDisclosure();
  useHotkeys([['shift+?', keys.toggle]]);
  return isOpen ? (
    <Suspense>
      <Keys onClose={keys.close} onTour={onTour} />
    </Suspense>
  ) : null;
}

/** Opens the palette, as Ctrl+K (⌘K) does on every page, also while one writes. */
function PaletteButton() {
  const { common } = useWords();
  const [isOpen, palette] = useDisclosure();
  useHotkeys([['mod+K', palette.toggle]], []);
  // Once it is there it is drawn without a pause: React holds back what was waited for by a third of a second.
  const [Shown, setShown] = useState<ComponentType<{ onClose: () => void }>>(Palette);
  useEffect(() => {
    const show = async (): Promise<void> => {
      const { default: loaded } = await loadPalette();
      setShown(() => loaded);
    };
    const timer = setTimeout(() => void show().catch(() => undefined), PALETTE_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
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
          <Shown onClose={palette.close} />
        </Suspense>
      )}
    </>
  );
}
