import { keyInProject } from '../../../lib/graphql/project.ts';

const keyOf = (chipId: string): string => keyInProject(`qpilot.visit.${chipId}`);
/** A reload is no new visit. */
const SAME_VISIT_MS = 1_800_000;

/**
 * When this browser looked at a chip the last time before this visit, in ISO; null for the first time. Remembers this
 * one: of `localStorage` the visit before stays until half an hour went by without a look.
 */
export function lastVisit(chipId: string, nowMs = Date.now()): string | null {
  const [before = null, latest = null] = (localStorage.getItem(keyOf(chipId)) ?? '')
    .split(' ')
    .map((time) => (Number.isFinite(Date.parse(time)) ? time : null));
  const isSame = latest !== null && nowMs - Date.parse(latest) < SAME_VISIT_MS;
  const previous = isSame ? before : latest;
  localStorage.setItem(keyOf(chipId), `${previous ?? '-'} ${new Date(nowMs).toISOString()}`);
  return previous;
}
