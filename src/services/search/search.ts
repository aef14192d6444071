/** Finds words in what the viewer may read: conversations, jobs and comments here, remarks and results in the database of the lab. */
import { z } from 'zod';
import { InvalidInputError } from '../../base/errors.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import { excerptOf, markTerms, searchTerms } from '../../domain/text/search-words.ts';
import type { SearchTerm, TextRange } from '../../domain/text/search-words.ts';
import { toStoredText } from '../../domain/text/stored-text.ts';
import type { Db } from '../../stores/pg/database.ts';
import { FOUND_KINDS, findTexts, type FoundKind, type FoundText } from '../../stores/pg/search.ts';
import { findRecords, type RecordKind, type RecordReads } from './search-records.ts';
import {
  decodeCursor,
  encodeCursor,
  rowsToRead,
  toPage,
  type Page,
  type PageRequest,
} from '../page-cursor.ts';

const MAX_SEARCH = 200;

/** What a search is narrowed by; `from` is inclusive, `until` exclusive. */
export type SearchFilter = {
  readonly kinds?: readonly (FoundKind | RecordKind)[] | null | undefined;
  readonly chipId?: string | null | undefined;
  readonly personId?: string | null | undefined;
  readonly from?: Date | null | undefined;
  readonly until?: Date | null | undefined;
};

export type SearchRequest = PageRequest & { readonly text: string; readonly filter?: SearchFilter | null };

/** Something in which all words are, with an excerpt around the first of them. */
export type SearchHit = {
  readonly kind: FoundKind | RecordKind;
  /** Tells it from the others. */
  readonly key: string;
  readonly title: string;
  readonly titleMatches: readonly TextRange[];
  readonly excerpt: string;
  readonly matches: readonly TextRange[];
  readonly at: Date | null;
  /** A user here, or the name that the database of the lab has. */
  readonly author: { readonly userId: string } | { readonly name: string } | null;
  readonly chipId: string | null;
  readonly place:
    | { readonly sessionId: string; readonly jobId: string | null; readonly turnId: string | null }
    | { readonly qid: string | null; readonly taskId: string | null };
};

/** `isCut`: more texts than are ranked have all words, and only the newest of them were. */
export type SearchPage = Page<SearchHit> & { readonly isCut: boolean };

/** Finds words in conversations, jobs and comments. */
export type Search = ReturnType<typeof createSearch>;

const position = z.tuple([z.number(), z.uuid()]);

export const createSearch = ({
  db,
  calibration,
}: {
  readonly db: Db;
  readonly calibration: RecordReads;
}) => ({
  /** Closest first. @throws InvalidInputError for a search without a word, or a bad cursor */
  async texts(viewer: Viewer, { text, filter, first, after }: SearchRequest): Promise<SearchPage> {
    const terms = termsOf(text);
    const { kinds, chipId = null, personId = null, from = null, until = null } = filter ?? {};
    const start = decodeCursor(after, position);
    const rows = await findTexts(db, viewer, {
      terms,
      kinds: FOUND_KINDS.filter((kind) => kinds?.includes(kind) ?? true),
      chip: chipId === null ? null : { chipId: toStoredText(chipId), terms: wordsOfChip(chipId) },
      personId: personId === null ? null : toStoredText(personId),
      from,
      until,
      limit: rowsToRead(first),
      after: start && { rank: start[0], id: start[1] },
    });
    const page = toPage(rows, first, (row) => ({
      item: hitOf(terms, row),
      cursor: encodeCursor([row.rank, row.id]),
    }));
    return { ...page, isCut: rows.some(({ isCut }) => isCut) };
  },
  /** Remarks and results, newest first. @throws InvalidInputError for a search without a word */
  records: (viewer: Viewer, { text, filter }: Pick<SearchRequest, 'text' | 'filter'>) =>
    findRecords(calibration, viewer, termsOf(text), filter ?? {}),
});

/** The terms of a search. @throws InvalidInputError if it has none, or is too long */
function termsOf(search: string): readonly SearchTerm[] {
  if (search.length > MAX_SEARCH)
    throw InvalidInputError.at(['text'], `has ${search.length} characters; search for ${MAX_SEARCH} at most`);
  const terms = searchTerms(toStoredText(search));
  if (terms.length === 0) throw InvalidInputError.at(['text'], 'has no word; give one to search for');
  return terms;
}

const wordsOfChip = (chipId: string): readonly SearchTerm[] =>
  searchTerms(`"${toStoredText(chipId).replaceAll('"', ' ')}"`);

function hitOf(terms: readonly SearchTerm[], row: FoundText): SearchHit {
  const { kind, id, title, at, chipId, authorId, sessionId, jobId, turnId } = row;
  const { text: excerpt, matches } = excerptOf(terms, row.text);
  return {
    kind,
    key: id,
    title,
    titleMatches: markTerms(terms, title),
    excerpt,
    matches,
    at,
    author: { userId: authorId },
    chipId,
    place: { sessionId, jobId, turnId },
  };
}
