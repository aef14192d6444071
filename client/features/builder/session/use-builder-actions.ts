import { notifications } from '@mantine/notifications';
import type { TurnView } from '@qpilot/client/view';
import { useRef, useState } from 'react';
import type { BuilderDiffFragment, Effort } from '../../../gql/graphql.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { useServerText } from '../../../lib/i18n/use-server-names.ts';
import { artifactsOf, withSession, type JobForm } from '../../jobs/new/job-form.ts';
import { partsOfDiff } from '../review/diff-part.ts';
import type { UpdateForm } from '../../jobs/new/use-job-form.ts';
import type { BuilderRequests, Outcome } from './use-builder-requests.ts';
import type { OpenBuilderSession, SessionUpdate } from './use-builder-session.ts';
import type { Sync } from './use-sync.ts';

/** Whether the builder's tools reject ambiguous edits, and whether its changes wait for a review. */
export type BuilderMode = { readonly strict: boolean; readonly review: boolean };

/** What the user can do with the builder. Each resolves with whether it was done; failures are notified. */
export type BuilderActions = {
  /** A message that is being sent. */
  readonly pending: string | null;
  readonly send: (content: string, effort: Effort | null) => Promise<boolean>;
  readonly stop: () => Promise<boolean>;
  readonly retry: (turnId: string) => Promise<boolean>;
  readonly goBack: (revision: number) => Promise<boolean>;
  /** Takes back what a turn changed; asks in {@link overlap} where later changes lie in the same place. */
  readonly undo: (turnId: string) => Promise<boolean>;
  /** What else would go; null while nothing is asked. */
  readonly overlap: UndoOverlap | null;
  /** Answers for all of it; null leaves everything as it is. */
  readonly answerOverlap: (choice: 'discard' | 'keep' | null) => Promise<boolean>;
  readonly decide: (accept: readonly string[], reject: readonly string[]) => Promise<boolean>;
  readonly reopen: () => Promise<boolean>;
};

/** What the server asks about an undo, and what was answered before. */
export type UndoOverlap = {
  readonly turnId: string;
  readonly overlaps: BuilderDiffFragment;
  readonly discard: readonly string[];
  readonly keep: readonly string[];
};

type Deps = {
  readonly form: JobForm;
  readonly update: UpdateForm;
  readonly session: OpenBuilderSession;
  readonly sync: Sync;
  readonly mode: BuilderMode;
  readonly writing: TurnView | null;
  readonly requests: BuilderRequests;
};

/** The actions of the builder beside a form. */
export function useBuilderActions({
  form,
  update,
  session,
  sync,
  mode,
  writing,
  requests,
}: Deps): BuilderActions {
  const sessionId = form.builderSessionId;
  const revision = session.state.view?.state.revision ?? null;
  const [pending, setPending] = useState<string | null>(null);
  const taken = useTaken(session.adopt);
  const messageIds = useMessageIds();
  const [overlap, setOverlap] = useState<UndoOverlap | null>(null);

  const send = async (content: string, effort: Effort | null): Promise<boolean> => {
    setPending(content);
    const place = sessionId === null ? { expertId: form.expert?.expertId ?? null } : { sessionId };
    const artifacts = artifactsOf(form);
    const message = { ...place, ...mode, content, effort, artifacts, baseRevision: revision };
    const outcome = await requests.send({ ...message, clientMessageId: messageIds.idFor(message) });
    if (outcome.type === 'done' && outcome.update !== null) {
      messageIds.forget();
      const { id, revision: sentRevision } = outcome.update.session;
      update((now) => withSession(now, id));
      sync.sent(id, { artifacts, revision: sentRevision });
    }
    const isTaken = taken(outcome);
    setPending(null);
    return isTaken;
  };

  /** Saves edits by hand as a revision of their own, so that nothing that follows loses them. Null: it failed. */
  const saveEdits = async (id: string, baseRevision: number): Promise<number | null> => {
    if (!sync.isEdited) return baseRevision;
    const artifacts = artifactsOf(form);
    const saved = await requests.update({ sessionId: id, artifacts, baseRevision });
    if (!taken(saved) || saved.type !== 'done' || saved.update === null) return null;
    const { revision: savedRevision } = saved.update.session;
    sync.sent(id, { artifacts, revision: savedRevision });
    return savedRevision;
  };

  const undo = async ({ turnId, discard, keep }: Omit<UndoOverlap, 'overlaps'>): Promise<boolean> => {
    if (sessionId === null || revision === null) return false;
    const baseRevision = await saveEdits(sessionId, revision);
    if (baseRevision === null) return false;
    const choices = { discard: [...discard], keep: [...keep] };
    const outcome = await requests.revert({ sessionId, baseRevision, turnId, ...choices });
    if (outcome.type !== 'overlap') return taken(outcome);
    setOverlap({ turnId, overlaps: outcome.overlaps, discard, keep });
    return false;
  };

  return {
    pending,
    send,
    stop: async () => writing !== null && taken(await requests.stop(writing.id)),
    retry: async (turnId) => {
      if (sessionId === null || revision === null) return false;
      if ((await saveEdits(sessionId, revision)) === null) return false;
      return taken(await requests.retry(turnId));
    },
    goBack: async (to) => {
      if (sessionId === null || revision === null) return false;
      const baseRevision = await saveEdits(sessionId, revision);
      return baseRevision !== null && taken(await requests.revert({ sessionId, baseRevision, revision: to }));
    },
    undo: (turnId) => undo({ turnId, discard: [], keep: [] }),
    overlap,
    answerOverlap: async (choice) => {
      setOverlap(null);
      if (overlap === null || choice === null) return false;
      const ids = partsOfDiff(overlap.overlaps).map(({ id }) => id);
      return undo({ ...overlap, [choice]: [...overlap[choice], ...ids] });
    },
    decide: async (accept, reject) =>
      sessionId !== null &&
      taken(await requests.resolve({ sessionId, accept: [...accept], reject: [...reject] })),
    reopen: async () => sessionId !== null && taken(await requests.reopen(sessionId)),
  };
}

/** A message keeps its id when it is sent again after a lost answer, so that it is not asked twice. */
function useMessageIds() {
  const lost = useRef<{ readonly content: string; readonly id: string } | null>(null);
  return {
    idFor: (message: object): string => {
      const content = JSON.stringify(message);
      if (lost.current?.content !== content) lost.current = { content, id: crypto.randomUUID() };
      return lost.current.id;
    },
    /** The last message was answered; the same words would be a new message. */
    forget: (): void => {
      lost.current = null;
    },
  };
}

/** Applies what a request returned, or notifies why it failed. */
function useTaken(adopt: (update: SessionUpdate) => void) {
  const { common } = useWords();
  const textOf = useServerText();
  return (outcome: Outcome): boolean => {
    switch (outcome.type) {
      case 'done':
        if (outcome.update !== null) adopt(outcome.update);
        return true;
      case 'stale':
        // Form and session differ now; the page asks which one to keep.
        adopt({ session: outcome.session });
        return false;
      case 'overlap':
        return false;
      case 'refused':
        notifications.show({ color: 'red', message: textOf(outcome.message) || common.noServer });
        return false;
      default:
        return outcome satisfies never;
    }
  };
}
