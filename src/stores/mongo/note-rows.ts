import type { Document } from 'mongodb';
import type { HumanNote } from '../../domain/records/notes.ts';
import { readDate, readRecord, readText } from '../../domain/values/stored-values.ts';
import type { HumanNoteRow } from '../calibration-store.ts';
import { readWords } from './read-helpers.ts';

/** What a row is about; all that is absent is null, and false for `isAi`. */
export type About = Pick<HumanNote, 'source' | 'subject' | 'qid'> &
  Partial<Omit<HumanNote, 'source' | 'subject' | 'qid' | 'text' | 'author' | 'updatedAt'>>;

/** The note in `raw`, if there is one: an object with content, editor and time. */
export function noteOf(row: Document, raw: unknown, about: About): HumanNoteRow[] {
  const note = readRecord(raw);
  return writtenOf(row, about, {
    text: note['content'],
    author: note['updated_by'] || note['created_by'],
    at: note['updated_at'] ?? note['created_at'],
  });
}

/** A post of a discussion. */
export function postOf(row: Document, about: About): HumanNoteRow[] {
  const info = readRecord(row['system_info']);
  return writtenOf(row, about, {
    text: row['content'],
    author: row['username'],
    at: info['updated_at'] ?? info['created_at'],
  });
}

type Written = { readonly text: unknown; readonly author: unknown; readonly at: unknown };

/** The row, unless it is empty. */
export function writtenOf(row: Document, about: About, { text, author, at }: Written): HumanNoteRow[] {
  const words = readWords(text)?.trim();
  if (!words) return [];
  return [
    {
      metric: null,
      taskId: null,
      isAi: false,
      title: null,
      isResolved: null,
      cooldownId: readText(row['cooldown_id']),
      validFrom: readDate(row['scope_started_at']),
      validUntil: readDate(row['scope_ended_at']),
      ...about,
      chipId: readText(row['chip_id']) ?? '',
      text: words,
      author: readText(author),
      updatedAt: readDate(at),
    },
  ];
}

/** What a discussion on a qubit, on a coupling or on neither is about. */
export function targetOf(qid: string | null): Pick<HumanNote, 'subject' | 'qid'> {
  if (qid === null || qid === '') return { subject: 'CHIP', qid: null };
  return { subject: qid.includes('-') ? 'COUPLING' : 'QUBIT', qid };
}
