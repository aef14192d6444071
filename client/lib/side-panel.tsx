import { useLocalStorage } from '@mantine/hooks';
import { createContext, use, useCallback, useMemo, useState, type ReactNode } from 'react';

/** The panel beside every page. */
export type SidePanel = {
  readonly isOpen: boolean;
  /** Words that "ask about this" left for the next message, until they are taken; null for none. */
  readonly draft: string | null;
  /** Opens it, with words for the next message if there are any. */
  readonly open: (draft?: string) => void;
  readonly close: () => void;
  /** Gives the words away: afterwards {@link draft} is null. */
  readonly takeDraft: () => string | null;
};

const SidePanelContext = createContext<SidePanel | null>(null);

/** Keeps whether the panel is open, also for the next visit. */
export function SidePanelProvider({ children }: { readonly children: ReactNode }) {
  const [isOpen, setOpen] = useLocalStorage({ key: 'qpilot.panel', defaultValue: false });
  const [draft, setDraft] = useState<string | null>(null);
  const open = useCallback(
    (words?: string) => {
      if (words !== undefined) setDraft(words);
      setOpen(true);
    },
    [setOpen],
  );
  const close = useCallback(() => setOpen(false), [setOpen]);
  const takeDraft = useCallback(() => {
    setDraft(null);
    return draft;
  }, [draft]);
  const value = useMemo(
    () => ({ isOpen, draft, open, close, takeDraft }),
    [isOpen, draft, open, close, takeDraft],
  );
  return <SidePanelContext value={value}>{children}</SidePanelContext>;
}

/** The panel beside the page. */
export function useSidePanel(): SidePanel {
  const panel = use(SidePanelContext);
  if (panel === null) throw new Error('useSidePanel is for components below SidePanelProvider');
  return panel;
}
