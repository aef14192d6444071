import { useCallback, useEffect, useRef, useState } from 'react';
import type { Artifacts } from '../../../../src/domain/artifacts/artifacts.ts';
import {
  artifactsOf,
  hasEdits,
  withArtifacts,
  type ExpertBase,
  type JobForm,
} from '../../jobs/new/job-form.ts';
import type { UpdateForm } from '../../jobs/new/use-job-form.ts';
import { isSameArtifacts, syncStep, toForm, type Agreed } from '../model/sync.ts';
import type { BuilderRequests } from './use-builder-requests.ts';

/** Both form and session have changed. */
export type Conflict = { readonly mine: Artifacts; readonly theirs: Artifacts };

/** A session as far as the form has to do with it. */
export type SyncedSession = Agreed & { readonly id: string; readonly expert: ExpertBase | null };

/** Keeps form and session the same. */
export type Sync = {
  readonly conflict: Conflict | null;
  /** Ends a conflict: the form stays, and the session learns of it with the next message, or the form follows. */
  readonly settle: (choice: 'mine' | 'theirs') => void;
  /** Tells that a session, that of the form, has been sent what the form holds, and which revision it has become. */
  readonly sent: (sessionId: string, agreed: Agreed) => void;
  /** Whether the form was edited by hand since the session learned of it. */
  readonly isEdited: boolean;
};

type SyncDeps = {
  readonly session: SyncedSession | null;
  readonly form: JobForm;
  readonly update: UpdateForm;
  readonly requests: BuilderRequests;
};

/** Brings edits of the session into the form, and finds out where the form must not be overwritten. */
export function useSync(deps: SyncDeps): Sync {
  const { session, form, update } = deps;
  const { agreed, agree } = useAgreed(deps);
  const mine = artifactsOf(form);
  const step = session === null || agreed === undefined ? null : syncStep(mine, session, agreed);
  const take = useCallback(() => {
    if (session === null) return;
    const { expert, artifacts } = session;
    update((now) => withArtifacts(now, toForm(artifacts), expert));
    agree(session);
  }, [session, update, agree]);

  useEffect(() => {
    if (step === 'take') take();
    if (step === 'same' && session !== null && agreed?.revision !== session.revision) agree(session);
  }, [step, take, session, agreed, agree]);

  const settle = (choice: 'mine' | 'theirs'): void => {
    if (choice === 'theirs') take();
    else if (session !== null) agree(session);
  };
  return {
    conflict: step === 'conflict' && session !== null ? { mine, theirs: session.artifacts } : null,
    settle,
    sent: (id, { artifacts, revision }) => agree({ id, artifacts, revision }),
    isEdited: session !== null && !isSameArtifacts(mine, session.artifacts),
  };
}

/**
 * What form and session last agreed on: what was agreed before the page was loaded is found again by the revision that
 * is kept with the form. Undefined until that is known; null where they never did.
 */
function useAgreed({ session, form, update, requests }: SyncDeps) {
  const [known, setKnown] = useState<{ readonly id: string; readonly agreed: Agreed | null } | null>(null);
  const latest = useRef({ session, form });
  useEffect(() => {
    latest.current = { session, form };
  });
  const agree = useCallback(
    ({ id, artifacts, revision }: Omit<SyncedSession, 'expert'>) => {
      update((now) => ({ ...now, agreedRevision: revision }));
      setKnown({ id, agreed: { artifacts, revision } });
    },
    [update],
  );

  const id = session !== null && form.expert !== null ? session.id : null;
  useEffect(() => {
    const opened = latest.current;
    if (id === null || opened.session === null) return;
    const revision = opened.form.agreedRevision;
    if (revision === null) {
      const isUntouched = !hasEdits(opened.form) && opened.form.description === '';
      const agreed = isUntouched ? { artifacts: artifactsOf(opened.form), revision: 0 } : null;
      return setKnown({ id, agreed });
    }
    if (revision === opened.session.revision) return setKnown({ id, agreed: opened.session });
    let isLeft = false;
    const place = { sessionId: id, revision, newest: opened.session.revision };
    void requests.artifactsAt(place).then((artifacts) => {
      if (!isLeft) setKnown({ id, agreed: artifacts && { artifacts, revision } });
    });
    return () => {
      isLeft = true;
    };
  }, [id, requests]);
  return { agreed: known !== null && known.id === id ? known.agreed : undefined, agree };
}
