import type { QPilot } from '@qpilot/client';
import { createContext, createElement, useContext, type ReactNode } from 'react';

const QPilotContext = createContext<QPilot | null>(null);

/** What the hooks below it talk to; make the client once, outside of components. */
export function QPilotProvider({
  qpilot,
  children,
}: {
  readonly qpilot: QPilot;
  readonly children?: ReactNode;
}) {
  return createElement(QPilotContext.Provider, { value: qpilot }, children);
}

/** The client itself, for what has no hook. */
export function useQPilot(): QPilot {
  const qpilot = useContext(QPilotContext);
  if (qpilot === null) throw new Error('no QPilot here: render this within <QPilotProvider qpilot={…}>');
  return qpilot;
}
