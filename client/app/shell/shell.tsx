import { Alert, AppShell, VisuallyHidden } from '@mantine/core';
import { useElementSize, useNetwork } from '@mantine/hooks';
import { IconCloudOff } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { Outlet, ScrollRestoration, useLocation } from 'react-router';
import { PageSkeleton } from '../../components/page-skeleton.tsx';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { useSidePanel } from '../../lib/side-panel.tsx';
import { UnsavedGuard } from '../../lib/unsaved.tsx';
import { Header } from './header.tsx';
import classes from './shell.module.css';

const HEADER_PX = 48;
const PANEL_PX = 440;
const MAIN = 'main-content';

/** The frame around every page: header, page, and the panel beside it (over it where the screen is narrow). */
export function Shell({ sidePanel }: { readonly sidePanel?: ReactNode }) {
  const { common } = useWords();
  const { online } = useNetwork();
  const { isOpen } = useSidePanel();
  const main = useRef<HTMLElement>(null);
  useFocusOfPage(main);
  const isWall = useIsWall();
  const banner = useElementSize();
  const isPanelShut = sidePanel === undefined || !isOpen;
  return (
    <AppShell
      header={{ height: HEADER_PX + banner.height }}
      aside={{
        width: PANEL_PX,
        breakpoint: 'md',
        collapsed: { desktop: isPanelShut, mobile: isPanelShut },
      }}
      transitionDuration={0}
      disabled={isWall}
    >
      <a className={classes['skip']} href={`#${MAIN}`}>
        {common.skipToContent}
      </a>
      <AppShell.Header className={classes['header']}>
        <div className={classes['bar']}>
          <Header hasPanel={sidePanel !== undefined} />
        </div>
        <div ref={banner.ref}>{!online && <OfflineBanner />}</div>
      </AppShell.Header>
      <AppShell.Main ref={main} id={MAIN} tabIndex={-1} className={classes['main']}>
        {!online && isWall && <OfflineBanner />}
        <Suspense fallback={<PageSkeleton />}>
          <Outlet />
        </Suspense>
      </AppShell.Main>
      {sidePanel !== undefined && (
        <AppShell.Aside aria-label={common.panel} data-tour="panel" className={classes['panel']}>
          {isOpen && sidePanel}
        </AppShell.Aside>
      )}
      <VisuallyHidden role="status" aria-live="polite">
        {online ? '' : common.offline}
      </VisuallyHidden>
      <UnsavedGuard />
      <ScrollRestoration />
    </AppShell>
  );
}

const CopilotPanel = lazy(async () => ({
  default: (await import('../../features/copilot/copilot-panel.tsx')).CopilotPanel,
}));

/** The frame with the copilot beside every page but its own. */
export function ShellWithCopilot() {
  const { pathname } = useLocation();
  if (/^\/copilot(\/|$)/.test(pathname)) return <Shell />;
  const panel = (
    <Suspense>
      <CopilotPanel />
    </Suspense>
  );
  return <Shell sidePanel={panel} />;
}

/** Whether the page is for a screen that nobody sits at: it has nothing around it. */
const useIsWall = (): boolean => new URLSearchParams(useLocation().search).has('wall');

/** Conversations are one page: the user keeps typing while a new conversation gets its address. */
const pageOf = (pathname: string): string => pathname.replace(/^\/copilot\/.*/, '/copilot');

/** Moves the focus to the page whenever another one opens, so that keys and screen readers continue there. */
function useFocusOfPage(main: RefObject<HTMLElement | null>): void {
  const page = pageOf(useLocation().pathname);
  const before = useRef(page);
  useEffect(() => {
    if (before.current === page) return;
    before.current = page;
    main.current?.focus({ preventScroll: true });
  }, [page, main]);
}

/** Shows that the network is gone; the status region of the shell announces it. */
function OfflineBanner() {
  const { common } = useWords();
  return (
    <Alert color="yellow" radius={0} py="xs" icon={<IconCloudOff size={16} />} className={classes['banner']}>
      {common.offline}
    </Alert>
  );
}
