import type { TurnView } from '@qpilot/client/view';
import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react';
import { artifactsOf, baseOf, withSession, type ExpertBase, type JobForm } from '../../jobs/new/job-form.ts';
import type { UpdateForm } from '../../jobs/new/use-job-form.ts';
import { isCatchingUp, writingTurn } from '../model/builder-view.ts';
import type { MarkedPart, Marks } from '../model/marks.ts';
import { useBuilderActions, type BuilderActions, type BuilderMode } from './use-builder-actions.ts';
import { useBuilderRequests } from './use-builder-requests.ts';
import { useBuilderSession, type OpenBuilderSession, type StoredBuilder } from './use-builder-session.ts';
import { useMarks } from './use-marks.ts';
import { useSync, type Sync } from './use-sync.ts';

/** The builder beside a form. */
export type Builder = BuilderActions & {
  readonly sessionId: string | null;
  readonly session: OpenBuilderSession;
  readonly sync: Sync;
  readonly marks: Marks;
  /** When the turn ended that the marks are of; null while it runs. */
  readonly marksAt: string | null;
  /** Null hides all marks. */
  readonly hideMarks: (part: MarkedPart | null) => void;
  /** The turn that writes; the form is locked meanwhile, in every tab. */
  readonly writing: TurnView | null;
  readonly mode: BuilderMode;
  readonly setMode: (mode: BuilderMode) => void;
  /**
   * Turns may be sent, undone and asked again: no turn runs, no decision is pending, no job was created from
   * it.
   */
  readonly isFree: boolean;
  /** Continues an earlier session; null starts a new one and leaves the form unchanged. */
  readonly open: (sessionId: string | null) => void;
};

const BuilderContext = createContext<Builder | null>(null);

/** Gives the form and the panel below it the builder of the form. */
export function BuilderProvider({
  form,
  update,
  children,
}: {
  readonly form: JobForm;
  readonly update: UpdateForm;
  readonly children: ReactNode;
}) {
  const builder = useBuilderOf(form, update);
  return <BuilderContext value={builder}>{children}</BuilderContext>;
}

/** The builder of the form. */
export function useBuilder(): Builder {
  const builder = use(BuilderContext);
  if (builder === null) throw new Error('useBuilder is for components below BuilderProvider');
  return builder;
}

function useBuilderOf(form: JobForm, update: UpdateForm): Builder {
  const sessionId = form.builderSessionId;
  const requests = useBuilderRequests();
  const session = useBuilderSession(sessionId);
  const { view, stored } = session.state;
  const expert = useExpertBase(stored?.expert);
  const synced = useMemo(
    () => (view === null || sessionId === null ? null : { id: sessionId, ...view.state, expert }),
    [view?.state, sessionId, expert],
  );
  const sync = useSync({ session: synced, form, update, requests });
  const [chosen, setMode] = useState<BuilderMode | null>(null);
  const mode = chosen ?? { strict: stored?.strict ?? false, review: stored?.review ?? false };
  const { marks, at, hide } = useMarks(
    view === null || sessionId === null || isCatchingUp(view) ? null : { id: sessionId, view },
    artifactsOf(form),
    requests,
  );
  const writing = view === null ? null : writingTurn(view);
  const actions = useBuilderActions({ form, update, session, sync, mode, writing, requests });
  useLock(writing !== null || actions.pending !== null, update);
  return {
    ...actions,
    sessionId,
    session,
    sync,
    marks,
    marksAt: at,
    hideMarks: hide,
    writing,
    mode,
    setMode,
    isFree:
      writing === null &&
      actions.pending === null &&
      stored?.proposal == null &&
      stored?.status !== 'LINKED' &&
      !session.state.isGone,
    open: (id) => {
      setMode(null);
      update((now) => withSession(now, id));
    },
  };
}

/** Keeps the form locked while somebody writes. */
function useLock(isLocked: boolean, update: UpdateForm): void {
  useEffect(() => {
    if (!isLocked) return;
    update((form) => ({ ...form, lock: 'BUILDER' }));
    return () => update((form) => ({ ...form, lock: null }));
  }, [isLocked, update]);
}

/** The same object for the same expert, so that nothing is recomputed. */
const useExpertBase = (expert: StoredBuilder['expert'] | undefined): ExpertBase | null =>
  useMemo(() => (expert ? baseOf(expert) : null), [expert]);
