import type { Chip, Cooldown } from '../../domain/chip/chip.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import { couplingEnds, isCouplingId, qidLabel, twinOf } from '../../domain/qid.ts';
import { newestNotes } from '../../domain/records/notes.ts';
import type {
  HumanNote,
  MachineNote,
  MachineNoteFilter,
  NoteSearch,
  NoteSource,
  RecordedNotes,
} from '../../domain/records/notes.ts';
import type { CalibrationStore } from '../../stores/calibration-store.ts';
import { rowsToRead, toPage, type FilteredPageRequest, type Page } from '../page-cursor.ts';
import { scopeOf } from './chip-scope.ts';
import type { CouplingsService } from './couplings.ts';
import type { QubitsService } from './qubits.ts';
import { decodeTimeCursor, encodeTimeCursor } from './time-cursor.ts';

/** How many of the newest rows are read of a source that grows with the history of a laboratory. */
const NEWEST = {
  COOLDOWN: 100,
  RESULT_NOTE: 200,
  AI_REVIEW: 100,
  ISSUE: 500,
  KNOWLEDGE: 200,
  FORUM: 200,
} as const;

/** Collections of which a database must have one to have the source at all; the others are fields of chips. */
const KEPT_IN: Readonly<Partial<Record<NoteSource, readonly string[]>>> = {
  COMMENT: ['target_note'],
  COOLDOWN: ['cooldown'],
  ISSUE: ['issue', 'task_result_comment'],
  KNOWLEDGE: ['issue_knowledge'],
  FORUM: ['forum_post'],
};

/** Notes of machines and of people. */
export function createNotes(deps: {
  readonly store: CalibrationStore;
  readonly qubits: QubitsService;
  readonly couplings: CouplingsService;
}) {
  const { store, qubits, couplings } = deps;

  const idOf = async (chip: Chip, asked: string): Promise<string> => {
    if (!isCouplingId(asked)) return (await qubits.get(chip, asked)).qid;
    return (await couplings.get(chip, asked)).coupling.couplingId;
  };

  return {
    /** What the control software recorded for runs. @throws InvalidInputError for a bad cursor */
    async machine(
      chip: Chip,
      { filter, first, after }: FilteredPageRequest<MachineNoteFilter>,
    ): Promise<Page<MachineNote>> {
      const limit = rowsToRead(first);
      const slice = await store.machineNoteSlice({
        ...scopeOf([chip]),
        filter: filter ?? {},
        limit,
        after: decodeTimeCursor(after),
      });
      return toPage(slice, first, ({ row, cursor }) => ({ item: row, cursor: encodeTimeCursor(cursor) }));
    },
    /** Forum posts of the viewer's project that name no chip, newest first; of the newest threads, if there are many. */
    async ofProject({ projectId }: Viewer): Promise<readonly HumanNote[]> {
      const { rows } = await store.forumPosts({ projectId, chipIds: null }, NEWEST.FORUM);
      return newestNotes(rows);
    },
    /**
     * What was written about the chip and its parts in all places where people write; `written` narrows it to one
     * qubit or coupling and to remarks on the whole chip that name it.
     * @throws NotFoundError for an unknown one
     */
    async recorded(chip: Chip, written: string | null = null): Promise<RecordedNotes> {
      const [qid, all] = await Promise.all([
        written === null ? null : idOf(chip, written),
        everythingOn(store, chip),
      ]);
      const isAbout = aboutTest(chip, qid);
      return { ...all, notes: all.notes.filter(isAbout) };
    },
  };
}

/** All remarks on a chip, newest first. The number of reads does not depend on what there is. */
async function everythingOn(store: CalibrationStore, chip: Chip): Promise<RecordedNotes> {
  const scope = scopeOf([chip]);
  const ofProject = store.cooldowns(chip.projectId);
  const [kept, cooldowns, wiring, own, onResults, reviews, issues, cases, forum] = await Promise.all([
    store.collectionNames(),
    ofProject,
    ofProject.then((all) => {
      const ids = all.flatMap(({ cooldownId, chipIds }) =>
        chipIds.includes(chip.chipId) ? [cooldownId] : [],
      );
      return store.wiringNotes(chip.projectId, ids, NEWEST.COOLDOWN);
    }),
    store.humanNotes(scope),
    store.taskResultNotes(scope, NEWEST.RESULT_NOTE),
    store.aiReviews(scope, NEWEST.AI_REVIEW),
    store.issuePosts(scope, NEWEST.ISSUE),
    store.issueKnowledge(scope, NEWEST.KNOWLEDGE),
    store.forumPosts(scope, NEWEST.FORUM),
  ]);
  const rows = [...own, ...wiring, ...onResults, ...reviews, ...issues.rows, ...cases, ...forum.rows];
  const byId = new Map(cooldowns.map((cooldown) => [cooldown.cooldownId, cooldown]));
  const bounded = rows.map((note) => withCooldown(note, byId.get(note.cooldownId ?? '')));
  const search = (source: NoteSource, isCut = false): NoteSearch => {
    const collections = KEPT_IN[source];
    const isKept = !kept || !collections || collections.some((name) => kept.has(name));
    return {
      source,
      isKept,
      newest: isCut && source in NEWEST ? NEWEST[source as keyof typeof NEWEST] : null,
    };
  };
  return {
    notes: newestNotes([...bounded, ...cooldowns.flatMap((cooldown) => cooldownNotes(cooldown, chip))]),
    searched: [
      search('NOTE'),
      search('COMMENT'),
      search('RESULT_NOTE', onResults.length === NEWEST.RESULT_NOTE),
      search('COOLDOWN', wiring.length === NEWEST.COOLDOWN),
      search('ISSUE', issues.isCut),
      search('KNOWLEDGE', cases.length === NEWEST.KNOWLEDGE),
      search('FORUM', forum.isCut),
      search('AI_REVIEW', reviews.length === NEWEST.AI_REVIEW),
    ],
  };
}

/** A note for a cool-down holds as long as that; its end was unknown when the note was written. */
function withCooldown(note: HumanNote, cooldown: Cooldown | undefined): HumanNote {
  if (cooldown === undefined || (note.source !== 'NOTE' && note.source !== 'COMMENT')) return note;
  return {
    ...note,
    validFrom: note.validFrom ?? cooldown.startedAt,
    validUntil: note.validUntil ?? cooldown.endedAt,
  };
}

function cooldownNotes(cooldown: Cooldown, { chipId }: Chip): readonly HumanNote[] {
  const { cooldownId, note, noteBy, noteAt, startedAt, endedAt, chipIds } = cooldown;
  const text = note?.trim();
  if (!text || !chipIds.includes(chipId)) return [];
  return [
    {
      source: 'COOLDOWN',
      isAi: false,
      subject: 'CHIP',
      qid: null,
      metric: null,
      taskId: null,
      cooldownId,
      validFrom: startedAt,
      validUntil: endedAt,
      title: null,
      isResolved: null,
      text,
      author: noteBy,
      updatedAt: noteAt,
    },
  ];
}

/** Whether a remark is about a qubit or coupling, or names it in words on the whole chip. All are about null. */
function aboutTest({ size }: Chip, qid: string | null): (note: HumanNote) => boolean {
  if (qid === null) return () => true;
  // Ids that are not numbers are named by their label only.
  const names = (couplingEnds(qid) ?? [qid]).map((end) =>
    /^\d+$/u.test(end) ? new RegExp(`\\bQ0*${end}(?!\\d)`, 'iu') : null,
  );
  const label = qidLabel(qid, size);
  return (note) => {
    if (note.qid !== null) return note.qid === qid || note.qid === twinOf(qid);
    const words = `${note.title ?? ''} ${note.text}`;
    return words.includes(label) || names.every((name) => name?.test(words));
  };
}
