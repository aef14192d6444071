import { shownTurns } from '@qpilot/client/view';
import { useEffect, useMemo, useState } from 'react';
import type { Artifacts } from '../../../../src/domain/artifacts/artifacts.ts';
import type { BuilderView } from '../model/builder-view.ts';
import { revisionsOfTurn } from '../model/chips.ts';
import { marksBetween, NO_MARKS, withoutMarks, type MarkedPart, type Marks } from '../model/marks.ts';
import type { BuilderRequests } from './use-builder-requests.ts';

/** The marks of the form. */
export type FormMarks = {
  readonly marks: Marks;
  /** When the turn ended that they are of; null while it runs. */
  readonly at: string | null;
  /** Hides the mark of a part; null: all of them. */
  readonly hide: (part: MarkedPart | null) => void;
};

type Hidden = { readonly place: string; readonly parts: ReadonlySet<string> | 'ALL' };
const NONE: ReadonlySet<string> = new Set();

/**
 * What the newest turn of the builder changed, marked in the form until the user hides it or sends the next message.
 * What the user typed since is no part of it, whether it was saved as a revision or not.
 */
export function useMarks(
  session: { readonly id: string; readonly view: BuilderView } | null,
  form: Artifacts,
  requests: BuilderRequests,
): FormMarks {
  const turn = session === null ? undefined : shownTurns(session.view.conversation).at(-1);
  const changed = turn && session ? revisionsOfTurn(session.view.edits[turn.id] ?? []) : null;
  const place = session !== null && changed !== null ? `${session.id} ${changed.before}` : null;
  const before = useArtifactsAt(session, changed?.before ?? null, requests);
  const written = useArtifactsAt(session, changed?.after ?? null, requests);
  const [hidden, setHidden] = useState<Hidden | null>(null);
  const parts = hidden === null || hidden.place !== place ? NONE : hidden.parts;

  const { instructions, config, description } = form;
  const marks = useMemo(() => {
    if (before === null || written === null || parts === 'ALL') return NO_MARKS;
    const now = { instructions, config, description };
    return withoutMarks(marksBetween(before, written, now), parts);
  }, [before, parts, written, instructions, config, description]);
  const hide = (part: MarkedPart | null): void => {
    if (place === null) return;
    setHidden({ place, parts: part === null || parts === 'ALL' ? 'ALL' : new Set([...parts, part]) });
  };
  return { marks, at: turn?.finishedAt ?? null, hide };
}

/** The artifacts of a revision: at once for the newest, null while an older one is read and where none is asked for. */
function useArtifactsAt(
  session: { readonly id: string; readonly view: BuilderView } | null,
  revision: number | null,
  requests: BuilderRequests,
): Artifacts | null {
  const [read, setRead] = useState<{ readonly place: string; readonly artifacts: Artifacts } | null>(null);
  const sessionId = session?.id ?? null;
  const newest = session?.view.state.revision ?? 0;
  const place = `${sessionId ?? ''} ${revision ?? ''}`;
  const isKnown = revision === null || revision === newest || read?.place === place;
  useEffect(() => {
    if (isKnown || sessionId === null) return;
    let isLeft = false;
    void requests.artifactsAt({ sessionId, revision, newest }).then((artifacts) => {
      if (!isLeft && artifacts) setRead({ place, artifacts });
    });
    return () => {
      isLeft = true;
    };
  }, [place, sessionId, revision, newest, isKnown, requests]);
  if (session === null || revision === null) return null;
  if (revision === newest) return session.view.state.artifacts;
  return read?.place === place ? read.artifacts : null;
}
