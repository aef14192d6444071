import { AppShell, VisuallyHidden } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { Suspense, useRef, type ReactNode } from 'react';
import { Outlet, ScrollRestoration } from 'react-router';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { useSidePanel } from '../../lib/side-panel.tsx';
import { PageSkeleton } from '../../components/page-skeleton.tsx';
import { Header } from './header.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import classes from './shell.module.css';
import { useFocusOfPage } from './use-focus-of-page.ts';

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
  const isPanelShut = sidePanel === undefined || !isOpen;
  return (
    <AppShell
      header={{ height: HEADER_PX }}
      aside={{
        width: PANEL_PX,
        breakpoint: 'md',
        collapsed: { desktop: isPanelShut, mobile: isPanelShut },
      }}
      transitionDuration={0}
    >
      <a className={classes['skip']} href={`#${MAIN}`}>
        {common.skipToContent}
      </a>
      <AppShell.Header className={classes['header']}>
        <Header hasPanel={sidePanel !== undefined} />
      </AppShell.Header>
      <AppShell.Main ref={main} id={MAIN} tabIndex={-1} className={classes['main']}>
        {!online && <OfflineBanner />}
        <Suspense fallback={<PageSkeleton />}>
          <Outlet />
        </Suspense>
      </AppShell.Main>
      {sidePanel !== undefined && (
        <AppShell.Aside aria-label={common.panel} className={classes['panel']}>
          {isOpen && sidePanel}
        </AppShell.Aside>
      )}
      <VisuallyHidden role="status" aria-live="polite">
        {online ? '' : common.offline}
      </VisuallyHidden>
      <ScrollRestoration />
    </AppShell>
  );
}
