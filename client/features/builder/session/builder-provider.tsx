import { notifications } from '@mantine/notifications';
import { createContext, use, useEffect, useMemo, useState, type Dispatch, type ReactNode } from 'react';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import type { TurnView } from '../../copilot/model/session-view.ts';
import { artifactsOf, type ExpertBase, type FormAction, type JobForm } from '../../jobs/new/form-state.ts';
import { writingTurn } from '../model/builder-view.ts';
import type { Marks } from '../model/marks.ts';
import { forgetAgreedRevision } from './agreed-revision.ts';
import { useBuilderRequests, type Outcome } from './use-builder-requests.ts';
import {
  useBuilderSession,
  type OpenBuilderSession,
  type StoredBuilder,
  type Told,
} from './use-builder-session.ts';
import { useMarks } from './use-marks.ts';
import { useSync, type Sync } from './use-sync.ts';

/** How the tools of the builder treat what is not plain. */
export type BuilderMode = { readonly strict: boolean; readonly review: boolean };

/** The builder beside a form. */
export type Builder = {
  readonly sessionId: string | null;
  readonly session: OpenBuilderSession;
  readonly sync: Sync;
  readonly marks: Marks;
  readonly hideMarks: () => void;
  /** The turn that writes; the form is locked meanwhile, in every tab. */
  readonly writing: TurnView | null;
  /** A message that is being sent. */
  readonly pending: string | null;
  readonly mode: BuilderMode;
  readonly setMode: (mode: BuilderMode) => void;
  /** Each resolves with whether it was done; what was not is said to the user. */
  readonly send: (content: string) => Promise<boolean>;
  readonly stop: () => Promise<boolean>;
  readonly retry: (turnId: string) => Promise<boolean>;
  readonly goBack: (to: { readonly turnId: string } | { readonly revision: number }) => Promise<boolean>;
  readonly decide: (accept: readonly string[], reject: readonly string[]) => Promise<boolean>;
  readonly reopen: () => Promise<boolean>;
  /** Goes on with an earlier session; null begins anew, and leaves the form as it is. */
  readonly open: (sessionId: string | null) => void;
};

const BuilderContext = createContext<Builder | null>(null);

/** Gives the form and the panel below it the builder of the form. */
export function BuilderProvider({
  form,
  change,
  children,
}: {
  readonly form: JobForm;
  readonly change: Dispatch<FormAction>;
  readonly children: ReactNode;
}) {
  const builder = useBuilderOf(form, change);
  return <BuilderContext value={builder}>{children}</BuilderContext>;
}

/** The builder of the form. */
export function useBuilder(): Builder {
  const builder = use(BuilderContext);
  if (builder === null) throw new Error('useBuilder is for components below BuilderProvider');
  return builder;
}

function useBuilderOf(form: JobForm, change: Dispatch<FormAction>): Builder {
  const sessionId = form.builderSessionId;
  const requests = useBuilderRequests();
  const session = useBuilderSession(sessionId);
  const { view, stored } = session.state;
  const expert = useExpertBase(stored?.expert);
  const synced = useMemo(
    () => (view === null || sessionId === null ? null : { id: sessionId, ...view.state, expert }),
    [view?.state, sessionId, expert],
  );
  const sync = useSync(synced, form, change, requests);
  const [pending, setPending] = useState<string | null>(null);
  const [chosen, setMode] = useState<BuilderMode | null>(null);
  const mode = chosen ?? { strict: stored?.strict ?? false, review: stored?.review ?? false };
  const { marks, hide } = useMarks(
    view === null || sessionId === null ? null : { id: sessionId, view },
    artifactsOf(form),
    requests,
  );
  const writing = view === null ? null : writingTurn(view);
  useLock(writing !== null || pending !== null, change);
  const taken = useTaken(session.adopt);
  const revision = view?.state.revision ?? null;

  const send = async (content: string): Promise<boolean> => {
    setPending(content);
    const place = sessionId === null ? { expertId: form.expert?.expertId ?? null } : { sessionId };
    const artifacts = artifactsOf(form);
    const told = await requests.send({
      ...place,
      ...mode,
      content,
      artifacts,
      baseRevision: revision,
      clientMessageId: crypto.randomUUID(),
    });
    if (told.type === 'done') {
      const { id, revision: sentRevision } = told.done.session;
      sync.sent(id, { artifacts, revision: sentRevision });
      change({ type: 'builder-session', sessionId: id });
    }
    const isTaken = taken(told);
    setPending(null);
    return isTaken;
  };

  /** What was edited by hand becomes a revision of its own first, so that going back loses nothing. */
  const goBack: Builder['goBack'] = async (to) => {
    if (sessionId === null || revision === null) return false;
    let baseRevision = revision;
    if (sync.isEdited) {
      const artifacts = artifactsOf(form);
      const saved = await requests.update({ sessionId, artifacts, baseRevision });
      if (!taken(saved) || saved.type !== 'done') return false;
      baseRevision = saved.done.session.revision;
      sync.sent(sessionId, { artifacts, revision: baseRevision });
    }
    return taken(await requests.revert({ sessionId, baseRevision, ...to }));
  };

  return {
    sessionId,
    session,
    sync,
    marks,
    hideMarks: hide,
    writing,
    pending,
    mode,
    setMode,
    send,
    goBack,
    stop: async () => writing !== null && taken(await requests.stop(writing.id)),
    retry: async (turnId) => taken(await requests.retry(turnId)),
    decide: async (accept, reject) =>
      sessionId !== null &&
      taken(await requests.resolve({ sessionId, accept: [...accept], reject: [...reject] })),
    reopen: async () => sessionId !== null && taken(await requests.reopen(sessionId)),
    open: (id) => {
      if (id !== null) forgetAgreedRevision(id);
      setMode(null);
      change({ type: 'builder-session', sessionId: id });
    },
  };
}

/** Keeps the form locked while somebody writes. */
function useLock(isLocked: boolean, change: Dispatch<FormAction>): void {
  useEffect(() => {
    if (!isLocked) return;
    change({ type: 'lock', isLocked: true });
    return () => change({ type: 'lock', isLocked: false });
  }, [isLocked, change]);
}

/** Takes over what a request gave, or says why it gave nothing. */
function useTaken(adopt: (told: Told) => void) {
  const { common } = useWords();
  return (outcome: Outcome<Told | null>): boolean => {
    switch (outcome.type) {
      case 'done':
        if (outcome.done !== null) adopt(outcome.done);
        return true;
      case 'stale':
        // The form and the session differ now, which the page asks about.
        adopt({ session: outcome.session });
        return false;
      case 'refused':
        notifications.show({ color: 'red', message: outcome.message || common.noServer });
        return false;
      default:
        return outcome satisfies never;
    }
  };
}

function useExpertBase(expert: StoredBuilder['expert'] | undefined): ExpertBase | null {
  return useMemo(
    () =>
      expert
        ? {
            expertId: expert.expertId,
            displayName: expert.displayName,
            instructions: expert.instructions,
            config: expert.config.json as ExpertBase['config'],
          }
        : null,
    [expert],
  );
}
