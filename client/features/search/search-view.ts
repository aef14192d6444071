import type { SearchFoundFragment, SearchKind } from '../../gql/graphql.ts';
import { chipPath, partPath, recordPath, turnPath } from '../../lib/part-path.ts';

/** What has words, in the order of the page. */
export const SEARCH_KINDS = [
  'QUESTION',
  'ANSWER',
  'CONVERSATION',
  'JOB',
  'COMMENT',
  'BUILDER',
  'BOARD',
  'NOTE',
  'RESULT',
] as const satisfies readonly SearchKind[];

/** What is in the database of the lab. */
const OF_LAB: readonly SearchKind[] = ['NOTE', 'RESULT'];

/** What is looked for, as the address of the page has it. Days are those of the browser. */
export type SearchView = {
  readonly text: string;
  readonly kinds: readonly SearchKind[];
  readonly chipId: string | null;
  readonly personId: string | null;
  /** `2026-11-23`; null: any. */
  readonly from: string | null;
  /** The last day; null: any. */
  readonly until: string | null;
};

const dayOf = (value: string | null): string | null =>
  value !== null && /^\d{4}-\d{2}-\d{2}$/u.test(value) ? value : null;

/** Reads a view from an address; what cannot be understood is as if it were not there. */
export const readSearch = (query: URLSearchParams): SearchView => ({
  text: query.get('q') ?? '',
  kinds: SEARCH_KINDS.filter((kind) => query.get('kind')?.split(',').includes(kind.toLowerCase())),
  chipId: query.get('chip') || null,
  personId: query.get('person') || null,
  from: dayOf(query.get('from')),
  until: dayOf(query.get('until')),
});

/** The view as the query of an address; what is not narrowed is left out. */
export const writeSearch = ({ text, kinds, chipId, personId, from, until }: SearchView): URLSearchParams =>
  new URLSearchParams({
    ...(text !== '' && { q: text }),
    ...(kinds.length > 0 && { kind: kinds.map((kind) => kind.toLowerCase()).join(',') }),
    ...(chipId !== null && { chip: chipId }),
    ...(personId !== null && { person: personId }),
    ...(from !== null && { from }),
    ...(until !== null && { until }),
  });

/** The page that searches for a text. */
export const searchPath = (text: string): string => `/search?${new URLSearchParams({ q: text }).toString()}`;

/** The view as the server's filter; a day ends where the next one begins. */
export function filterOf({ kinds, chipId, personId, from, until }: SearchView) {
  const startOf = (day: string | null, plus: number): string | null => {
    if (day === null) return null;
    const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
    return new Date(year, month - 1, date + plus).toISOString();
  };
  return {
    kinds: kinds.length > 0 ? [...kinds] : null,
    chipId,
    personId,
    from: startOf(from, 0),
    until: startOf(until, 1),
  };
}

/** Which of the two searches a view needs. */
export const searchesOf = ({ kinds }: SearchView) => ({
  here: kinds.length === 0 || kinds.some((kind) => !OF_LAB.includes(kind)),
  lab: kinds.length === 0 || kinds.some((kind) => OF_LAB.includes(kind)),
});

/** Where something that was found opens: at the very answer, or the very result. */
export function hitPath(
  hit: Pick<
    SearchFoundFragment,
    'sessionId' | 'turnId' | 'jobId' | 'builderSessionId' | 'boardId' | 'chipId' | 'qid' | 'taskId'
  >,
): string {
  const { sessionId, turnId, jobId, builderSessionId, boardId, chipId, qid, taskId } = hit;
  if (builderSessionId != null)
    return `/jobs/new?${new URLSearchParams({ builder: builderSessionId }).toString()}`;
  if (boardId != null) return `/boards/${encodeURIComponent(boardId)}`;
  if (jobId != null) return `/jobs/${jobId}`;
  if (sessionId != null) return turnId == null ? `/copilot/${sessionId}` : turnPath(sessionId, turnId);
  if (taskId != null) return recordPath(taskId);
  if (chipId == null) return '/chips';
  return qid == null ? chipPath(chipId) : partPath(chipId, qid);
}

/** A text in pieces, those that were looked for marked. */
export function markedPieces(
  text: string,
  matches: readonly { readonly from: number; readonly to: number }[],
): readonly { readonly text: string; readonly isMatch: boolean }[] {
  const ends = [...matches.flatMap(({ from, to }) => [from, to]), text.length];
  return ends
    .map((end, index) => ({
      text: text.slice(ends[index - 1] ?? 0, end),
      isMatch: index % 2 === 1,
    }))
    .filter((piece) => piece.text !== '');
}
