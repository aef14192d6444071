import { lazy, Suspense } from 'react';
import { useLocation } from 'react-router';
import { Shell } from './shell.tsx';

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
