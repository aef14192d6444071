import { useEffect, useMemo, useState } from 'react';
import type { Artifacts } from '../../../../src/domain/artifacts/artifacts.ts';
import { shownTurns } from '../../copilot/model/session-view.ts';
import type { BuilderView } from '../model/builder-view.ts';
import { revisionBeforeTurn } from '../model/chips.ts';
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
 */
export function useMarks(
  session: { readonly id: string; readonly view: BuilderView } | null,
  form: Artifacts,
  requests: BuilderRequests,
): FormMarks {
  const turn = session === null ? undefined : shownTurns(session.view.conversation).at(-1);
  const base = turn && session ? revisionBeforeTurn(session.view.edits[turn.id] ?? []) : null;
  const place = session !== null && base !== null ? `${session.id} ${base}` : null;
  const [before, setBefore] = useState<{ readonly place: string; readonly artifacts: Artifacts } | null>(
    null,
  );
  const [hidden, setHidden] = useState<Hidden | null>(null);
  const parts = hidden === null || hidden.place !== place ? NONE : hidden.parts;
  const sessionId = session?.id ?? null;
  const newest = session?.view.state.revision ?? 0;
  const isKnown = before !== null && before.place === place;
  useEffect(() => {
    if (place === null || sessionId === null || base === null || isKnown) return;
    let isLeft = false;
    void requests.artifactsAt({ sessionId, revision: base, newest }).then((artifacts) => {
      if (!isLeft && artifacts) setBefore({ place, artifacts });
    });
    return () => {
      isLeft = true;
    };
  }, [place, sessionId, base, newest, isKnown, requests]);

  const { instructions, config, description } = form;
  const written = session?.view.state.artifacts;
  const marks = useMemo(() => {
    if (before === null || before.place !== place || parts === 'ALL' || !written) return NO_MARKS;
    const now = { instructions, config, description };
    return withoutMarks(marksBetween(before.artifacts, written, now), parts);
  }, [before, place, parts, written, instructions, config, description]);
  const hide = (part: MarkedPart | null): void => {
    if (place === null) return;
    setHidden({ place, parts: part === null || parts === 'ALL' ? 'ALL' : new Set([...parts, part]) });
  };
  return { marks, at: turn?.finishedAt ?? null, hide };
}
