/** Sentences about notes of people, of language models and of machines. */
import type { HumanNote, MachineNote, NoteSearch, NoteSource } from '../../domain/records/notes.ts';
import { normaliseQid } from '../../domain/qid.ts';
import { compactNumber } from '../../domain/text/compact.ts';
import { newestOf, sinceText } from '../../domain/claims/timed.ts';
import { countOf, formatTime, joinWords } from '../../domain/text/display-text.ts';
import { noteAbout } from '../../domain/visual-rules/record-tables.ts';
import type { Json, JsonObject } from '../../domain/visuals.ts';

/** Characters of a note, and of the title of its discussion, that a sentence quotes. */
const QUOTED = { text: 160, title: 60 } as const;

/** `On Q45: “Two-level defect” (aoki, 2026-05-19 12:00 UTC; comment; held until 2026-05-20 00:00 UTC).` */
export function noteSentence(note: HumanNote, chipSize: number, now: Date): string {
  const written = [note.author, note.updatedAt && formatTime(note.updatedAt)].filter(Boolean).join(', ');
  const by = [written, ...placeWords(note), ...validityWords(note, now)]
    .filter((part) => part !== '')
    .join('; ');
  return `On ${noteAbout(note, chipSize)}: “${quoted(note.text, QUOTED.text)}”${by === '' ? '' : ` (${by})`}.`;
}

/** Posts that name no chip may be about any; the newest is quoted. Nothing where there are none. */
export function projectSentences(notes: readonly HumanNote[], now: Date): readonly string[] {
  const [first] = notes;
  if (first === undefined) return [];
  const count = `${countOf(notes.length, 'forum post')} of the project ${notes.length === 1 ? 'names' : 'name'} no chip`;
  return [`${count}.`, noteSentence(first, 0, now)];
}

function quoted(text: string, most: number): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  return line.length > most ? `${line.slice(0, most).trimEnd()}…` : line;
}

/** Fields of a plain note besides its text. */
const PLACES: Readonly<Record<NoteSource, string>> = {
  NOTE: '',
  COMMENT: 'comment',
  RESULT_NOTE: '',
  COOLDOWN: 'on the cool-down',
  ISSUE: 'issue',
  KNOWLEDGE: 'learnt from an issue',
  FORUM: 'forum',
  AI_REVIEW: 'AI review',
};

function placeWords({ source, title, isResolved }: HumanNote): readonly string[] {
  const named = title === null ? '' : ` “${quoted(title, QUOTED.title)}”`;
  return [
    `${PLACES[source]}${named}`.trim(),
    ...(isResolved === null ? [] : [isResolved ? 'resolved' : 'open']),
  ];
}

function validityWords({ validFrom, validUntil, cooldownId }: HumanNote, now: Date): readonly string[] {
  if (validUntil !== null) return [`${validUntil <= now ? 'held until' : 'until'} ${formatTime(validUntil)}`];
  if (validFrom !== null) return [sinceText(validFrom)];
  return cooldownId === null ? [] : [`cool-down ${cooldownId}`];
}

/** Whether a note is pinned to something and still holds: such notes come before discussions and remarks on results. */
export const stands = ({ source, validUntil }: HumanNote, now: Date): boolean =>
  source === 'NOTE' && (validUntil === null || validUntil > now);

/** `from` and `to` count the notes that are quoted, from 1; `pinned` is how many of all stand. */
export function countSentence(
  where: string,
  {
    all,
    pinned,
    from,
    to,
  }: { readonly all: number; readonly pinned: number; readonly from: number; readonly to: number },
): string {
  if (all === 0) return `Nobody left a note on ${where}.`;
  // no claim: the order of services/calibration/notes.ts, which its tests prove
  const order = pinned === 0 || pinned === all ? 'newest first' : 'those that stand first, then newest first';
  const part = from === 1 && to === all ? '' : to < from ? '; none of them here' : `; ${from} to ${to} here`;
  return `${countOf(all, 'note')} of people on ${where}, ${order}${part}.`;
}

const SOURCE_WORDS: Readonly<Record<NoteSource, string>> = {
  NOTE: 'notes',
  COMMENT: 'comments',
  RESULT_NOTE: 'remarks on task results',
  COOLDOWN: 'cool-downs',
  ISSUE: 'issues',
  KNOWLEDGE: 'cases learnt from issues',
  FORUM: 'forum posts on the chip',
  AI_REVIEW: 'AI reviews',
};

/** Where was looked, how far back, and what the database does not have. */
export function searchedSentences(searched: readonly NoteSearch[]): readonly string[] {
  const wordsOf = (those: readonly NoteSearch[]): string =>
    joinWords(
      those.map(({ source, newest }) => `${newest === null ? '' : `${newest} `}${SOURCE_WORDS[source]}`),
    );
  const whole = searched.filter(({ isKept, newest }) => isKept && newest === null);
  const cut = searched.filter(({ isKept, newest }) => isKept && newest !== null);
  const absent = searched.filter(({ isKept }) => !isKept);
  return [
    ...(whole.length === 0 ? [] : [`Searched, of any age: ${wordsOf(whole)}.`]),
    // no claim: the limit of the search
    ...(cut.length === 0 ? [] : [`Searched, the newest only: ${wordsOf(cut)}.`]),
    ...(absent.length === 0 ? [] : [`This database has no ${wordsOf(absent)}.`]),
  ];
}

/** Names of what a machine note holds, each with the number of its entries. */
export const holdings = ({ note }: MachineNote): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(note).map(([kind, held]) => [kind, sizeOf(held)]));

const isObject = (held: Json | undefined): held is JsonObject =>
  typeof held === 'object' && held !== null && !Array.isArray(held);

const sizeOf = (held: Json): number =>
  Array.isArray(held) ? held.length : isObject(held) ? Object.keys(held).length : 1;

/** What a machine note holds of one qubit or coupling, by kind; its keys are labels in a form of the lab's own. */
export const heldOf = ({ note }: MachineNote, qid: string): JsonObject =>
  Object.fromEntries(
    Object.entries(note).flatMap(([kind, held]) => {
      const own = isObject(held)
        ? Object.entries(held).find(([label]) => normaliseQid(label) === qid)
        : undefined;
      return own === undefined ? [] : [[kind, own[1]]];
    }),
  );

export function machineSentences(chipId: string, notes: readonly MachineNote[]): readonly string[] {
  const newest = newestOf(notes.toReversed(), ({ timestamp }) => timestamp);
  if (newest === null) return [`No machine notes on ${chipId}.`];
  const kinds = Object.entries(holdings(newest.row)).map(([kind, size]) => `${kind} (${size})`);
  return [
    // no claim: it is what newestOf found
    `${countOf(notes.length, 'machine note')}; the newest, of execution ${newest.row.executionId} (${formatTime(newest.at)}), holds ${kinds.join(', ') || 'nothing'}.`,
  ];
}

/** `Q12: rabi_params amplitude 0.41, frequency 12.5, as stored.`; nothing where the note has nothing of it. */
export function heldSentences(label: string, held: JsonObject): readonly string[] {
  const kinds = Object.entries(held).map(([kind, values]) => {
    const fields = isObject(values)
      ? Object.entries(values).map(([name, value]) => `${name} ${wordOf(value)}`)
      : [wordOf(values)];
    return `${kind} ${fields.join(', ')}`;
  });
  return kinds.length === 0 ? [] : [`${label}: ${quoted(kinds.join('; '), QUOTED.text)}, as stored.`];
}

const wordOf = (value: Json): string =>
  typeof value === 'number'
    ? String(compactNumber(value))
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);
