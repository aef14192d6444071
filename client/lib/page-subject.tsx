import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react';

/** What the page is about, for the copilot beside it; null for what it is not about. */
export type PageSubject = {
  readonly chipId: string | null;
  readonly qid: string | null;
  /** Id of a task result. */
  readonly taskId: string | null;
};

const NOTHING: PageSubject = { chipId: null, qid: null, taskId: null };

type PageSubjectState = {
  readonly subject: PageSubject;
  readonly setPage: (page: PageSubject) => void;
  readonly setPart: (part: Partial<PageSubject>) => void;
};

const PageSubjectContext = createContext<PageSubjectState>({
  subject: NOTHING,
  setPage: () => undefined,
  setPart: () => undefined,
});

/** Lets pages declare their subject, and the copilot read it. */
export function PageSubjectProvider({ children }: { readonly children: ReactNode }) {
  const [page, setPage] = useState(NOTHING);
  const [part, setPart] = useState<Partial<PageSubject>>({});
  const value = useMemo(() => ({ subject: { ...page, ...part }, setPage, setPart }), [page, part]);
  return <PageSubjectContext value={value}>{children}</PageSubjectContext>;
}

/** What the page that is open is about. */
export const usePageSubject = (): PageSubject => use(PageSubjectContext).subject;

/** Narrows what the page is about to a part of it, until another page is open; `{}` widens it again. */
export const useSubjectPart = (): ((part: Partial<PageSubject>) => void) => use(PageSubjectContext).setPart;

/** Says what this page is about while it is open. */
export function useSubjectOfPage({ chipId = null, qid = null, taskId = null }: Partial<PageSubject>): void {
  const { setPage, setPart } = use(PageSubjectContext);
  useEffect(() => {
    setPage({ chipId, qid, taskId });
    return () => {
      setPage(NOTHING);
      setPart({});
    };
  }, [chipId, qid, taskId, setPage, setPart]);
}
