import { tabStorage } from '../../../lib/tab-storage.ts';

const keyOf = (sessionId: string): string => `qpilot.builder-agreed.${sessionId}`;

/** The revision that the kept form was last the same as; null where that is not known. */
export function agreedRevision(sessionId: string): number | null {
  const kept = tabStorage.read(keyOf(sessionId));
  const revision = kept === null ? NaN : Number(kept);
  return Number.isInteger(revision) && revision >= 0 ? revision : null;
}

/** Keeps it over a reload, as the form itself is kept. */
export const keepAgreedRevision = (sessionId: string, revision: number): void =>
  tabStorage.write(keyOf(sessionId), String(revision));

/** Forgets it: the form is about something else now. */
export const forgetAgreedRevision = (sessionId: string): void => tabStorage.remove(keyOf(sessionId));
