import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react';

/** What the page is about, for the copilot beside it; null for what it is not about. */
export type PageSubject = {
  readonly chipId: string | null;
  readonly qid: string | null;
  readonly taskId: string | null;
};

const NOTHING: PageSubject = { chipId: null, qid: null, taskId: null };

type PageSubjectState = {
  readonly subject: PageSubject;
  readonly setSubject: (subject: PageSubject) => void;
};

const PageSubjectContext = createContext<PageSubjectState>({ subject: NOTHING, setSubject: () => undefined });

/** Lets pages say what they are about, and the copilot read it. */
export function PageSubjectProvider({ children }: { readonly children: ReactNode }) {
  const [subject, setSubject] = useState(NOTHING);
  const value = useMemo(() => ({ subject, setSubject }), [subject]);
  return <PageSubjectContext value={value}>{children}</PageSubjectContext>;
}

/** What the page that is open is about. */
export const usePageSubject = (): PageSubject => use(PageSubjectContext).subject;

/** Says what this page is about while it is open. */
export function useSubjectOfPage({ chipId = null, qid = null, taskId = null }: Partial<PageSubject>): void {
  const { setSubject } = use(PageSubjectContext);
  useEffect(() => {
    setSubject({ chipId, qid, taskId });
    return () => setSubject(NOTHING);
  }, [chipId, qid, taskId, setSubject]);
}
