import { qidLabel } from '../qid.ts';
import type { HumanNote } from '../records/notes.ts';
import type { TableSpec } from '../visuals.ts';
import { textColumn, timeColumn } from './table.ts';

/** What people wrote, newest first. */
export function humanNotesTable(title: string, chipSize: number, notes: readonly HumanNote[]): TableSpec {
  return {
    type: 'table',
    title,
    columns: [
      textColumn('about', 'About'),
      textColumn('text', 'Note'),
      textColumn('author', 'By'),
      timeColumn('updatedAt', 'Written (UTC)'),
    ],
    rows: notes.map((note) => ({
      about: noteAbout(note, chipSize),
      text: note.text,
      author: note.author,
      updatedAt: note.updatedAt?.toISOString() ?? null,
    })),
  };
}

/** `Q45`, `t1 of Q27`, `a result of Q05`, `the chip`. */
export function noteAbout({ subject, qid, metric }: HumanNote, chipSize: number): string {
  const who = qid === null ? 'the chip' : qidLabel(qid, chipSize);
  if (subject === 'TASK_RESULT') return `a result of ${who}`;
  return metric === null ? who : `${metric} of ${who}`;
}
