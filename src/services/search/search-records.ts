/** Words in the database of the lab, which has no index of them: the newest remarks and results of a few chips are read. */
import type { Chip } from '../../domain/chip/chip.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import { qidLabel } from '../../domain/qid.ts';
import type { HumanNote } from '../../domain/records/notes.ts';
import { excerptOf, findTerms, markTerms, type SearchTerm } from '../../domain/text/search-words.ts';
import { TASK_STATUSES } from '../../domain/values/task-result.ts';
import type { TaskResult, TaskResultFilter } from '../../domain/values/task-result.ts';
import { NotFoundError } from '../../base/errors.ts';
import type { Page } from '../page-cursor.ts';
import type { CalibrationServices } from '../calibration/calibration-services.ts';
import type { SearchFilter, SearchHit } from './search.ts';

/** What is kept there. */
export const RECORD_KINDS = ['NOTE', 'RESULT'] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** What is read of it. */
export type RecordReads = Pick<CalibrationServices, 'chips' | 'notes' | 'taskResults'>;

/** What was found, and how far was looked. */
export type FoundRecords = {
  readonly hits: readonly SearchHit[];
  /** Chips of which nothing was read. */
  readonly skippedChips: number;
  /** Results of each chip of which the words were compared. */
  readonly resultsOfChip: number;
};

const MOST_CHIPS = 5;
const MOST_RESULTS = 100;
const MOST_HITS = 50;

/** Newest first. An unknown chip has nothing. */
export async function findRecords(
  { chips, notes, taskResults }: RecordReads,
  viewer: Viewer,
  terms: readonly SearchTerm[],
  { kinds, chipId, personId, from, until }: SearchFilter,
): Promise<FoundRecords> {
  const all = await chips.list(viewer);
  const wanted = chipId ? all.filter((chip) => chip.chipId === chipId) : all;
  const wants = (kind: RecordKind): boolean => kinds?.includes(kind) ?? true;
  const read = wanted.slice(0, MOST_CHIPS);
  const hits = await Promise.all(
    read.map(async (chip) => {
      const [remarks, results] = await Promise.all([
        wants('NOTE') ? notes.recorded(chip) : { notes: [] },
        // Results have no person.
        wants('RESULT') && !personId
          ? resultsOf(taskResults, chip, { ...narrowed(terms), from: from ?? null, to: until ?? null })
          : { items: [] },
      ]);
      return [
        ...remarks.notes
          .filter(({ author }) => !personId || author === personId)
          .flatMap((note) => noteHit(terms, chip, note)),
        ...results.items.flatMap(({ item }) => resultHit(terms, chip, item)),
      ];
    }),
  );
  const within = hits.flat().filter(({ at }) => isWithin(at, from ?? null, until ?? null));
  return {
    hits: within.toSorted((a, b) => (b.at?.getTime() ?? 0) - (a.at?.getTime() ?? 0)).slice(0, MOST_HITS),
    skippedChips: wanted.length - read.length,
    resultsOfChip: MOST_RESULTS,
  };
}

/** The newest results; on a chip without the part that the filter names, those of all parts, whose texts may name it. */
async function resultsOf(
  taskResults: RecordReads['taskResults'],
  chip: Chip,
  { qid, ...filter }: TaskResultFilter,
): Promise<Page<TaskResult>> {
  try {
    return await taskResults.page(chip, { first: MOST_RESULTS, filter: { ...filter, qid: qid ?? null } });
  } catch (error) {
    if (!(error instanceof NotFoundError) || !qid) throw error;
    return taskResults.page(chip, { first: MOST_RESULTS, filter });
  }
}

/** What an index can select of the words: one qubit or coupling, and a status. */
function narrowed(terms: readonly SearchTerm[]): Pick<TaskResultFilter, 'qid' | 'status'> {
  const words = terms.map(({ parts }) => parts.join('-'));
  const [qid, ...others] = words.filter((word) => /^q\d+(?:-q\d+)?$/u.test(word));
  const status = TASK_STATUSES.filter((each) => words.includes(each.toLowerCase()));
  return {
    ...(qid !== undefined && others.length === 0 && { qid: qid.replaceAll('q', '') }),
    ...(status.length === 1 && { status }),
  };
}

/** Without a time it is in no range but that of all times. */
const isWithin = (at: Date | null, from: Date | null, until: Date | null): boolean =>
  (from === null || (at !== null && at >= from)) && (until === null || (at !== null && at < until));

function noteHit(terms: readonly SearchTerm[], { chipId, size }: Chip, note: HumanNote): SearchHit[] {
  const { qid, taskId, metric, author, updatedAt, text } = note;
  const subject = qid === null ? chipId : qidLabel(qid, size);
  const title = [subject, metric, note.title].filter(Boolean).join(' · ');
  const key = JSON.stringify([chipId, note.source, qid, taskId, metric, updatedAt, author, text]);
  const place = { qid, taskId };
  return hitOf(terms, { kind: 'NOTE', key, title, text, at: updatedAt, author, chipId, place });
}

function resultHit(terms: readonly SearchTerm[], { size }: Chip, result: TaskResult): SearchHit[] {
  const { chipId, taskId, name, qid, status, message, startAt, tags } = result;
  const title = [name, ...(qid === '' ? [] : [qidLabel(qid, size)])].join(' · ');
  const text = [status, message, ...tags].filter(Boolean).join(' · ');
  const place = { qid: qid === '' ? null : qid, taskId };
  return hitOf(terms, { kind: 'RESULT', key: taskId, title, text, at: startAt, author: null, chipId, place });
}

type Text = Pick<SearchHit, 'kind' | 'key' | 'title' | 'at' | 'chipId' | 'place'> & {
  readonly text: string;
  readonly author: string | null;
};

/** Empty unless all words are in its title, its text or the name of its chip. */
function hitOf(terms: readonly SearchTerm[], { text, author, ...hit }: Text): SearchHit[] {
  if (findTerms(terms, `${hit.chipId}\n${hit.title}\n${text}`) === null) return [];
  const { text: excerpt, matches } = excerptOf(terms, text);
  const titleMatches = markTerms(terms, hit.title);
  return [{ ...hit, titleMatches, excerpt, matches, author: author === null ? null : { name: author } }];
}
