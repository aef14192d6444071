/** `get_calibration_notes`: what people wrote about a chip, and what machines kept for its runs. */
import { z } from 'zod';
import type { HumanNote, MachineNote } from '../../domain/records/notes.ts';
import { qidLabel } from '../../domain/qid.ts';
import { compactTimestamp } from '../../domain/text/compact.ts';
import { countOf, formatTime } from '../../domain/text/display-text.ts';
import { freshnessOf } from '../../domain/values/freshness.ts';
import { humanNotesTable, noteAbout } from '../../domain/visual-rules/record-tables.ts';
import { noDataNote } from '../../domain/visual-rules/table.ts';
import { defineTool } from '../tool.ts';
import { chipIdArg, chipOf, chipWords } from './chip-argument.ts';
import { lastNArg } from './list-arguments.ts';
import { fieldsOf } from './row-data.ts';

const DEFAULT_LAST_N = 10;
/** Remarks that the summary quotes, and how much of each. */
const SHOWN_NOTES = 5;
const SHOWN_CHARACTERS = 200;

export const getCalibrationNotes = defineTool({
  name: 'get_calibration_notes',
  category: 'notes',
  label: 'Fetching calibration notes',
  title: { en: 'Calibration notes', ja: '較正メモの読み取り' },
  example: { kind: 'human', last_n: 3 },
  description: 'What people wrote about chip, qubits and results, and what machines kept for runs.',
  args: z.object({
    chip_id: chipIdArg,
    kind: z.enum(['human', 'machine']).nullable().describe('null for both'),
    qid: z.string().nullable(),
    execution_id: z.string().nullable().describe('Of machine notes'),
    task_id: z.string().nullable().describe('Task result; master for machine notes of a whole execution'),
    last_n: lastNArg(DEFAULT_LAST_N, 100),
  }),
  describe: ({ chip_id, kind, qid }) => `${kind ?? 'all'} notes on ${qid || chipWords(chip_id)}`,
  run: async ({ chip_id, kind, qid, execution_id, task_id, last_n }, context) => {
    const chip = await chipOf(context, chip_id);
    const { notes } = context.services;
    const first = last_n ?? DEFAULT_LAST_N;
    const filter = { executionId: execution_id || null, taskId: task_id || null };
    const [written, kept] = await Promise.all([
      kind === 'machine' ? [] : notes.human(chip, qid || null),
      kind === 'human'
        ? []
        : notes.machine(chip, { first, filter }).then(({ items }) => items.map(({ item }) => item)),
    ]);
    const human = written.filter((note) => !task_id || note.taskId === task_id);
    const shown = human.slice(0, first);
    const where = `${qid ? `${qidLabel(qid, chip.size)} on ` : ''}${chip.chipId}`;
    const title = `Notes on ${where}`;
    return {
      data: {
        chip_id: chip.chipId,
        human_notes: shown.map((note) => humanData(note, context.now())),
        machine_notes: kept.map((note) => machineData(note, context.now())),
      },
      formattedSummary: [
        ...(kind === 'machine' ? [] : humanSentences(where, human.length, shown, chip.size)),
        ...(kind === 'human' ? [] : machineSentences(chip.chipId, kept)),
      ].join('\n'),
      preview: `${countOf(human.length, 'remark')}, ${countOf(kept.length, 'machine note')}`,
      freshness: freshnessOf(
        'NOTES',
        [...shown.map(({ updatedAt }) => updatedAt), ...kept.map(({ timestamp }) => timestamp)],
        null,
      ),
      source: 'NOTES',
      visuals:
        shown.length > 0
          ? [humanNotesTable(title, chip.size, shown)]
          : kept.length > 0
            ? []
            : [noDataNote(title, title)],
    };
  },
});

const humanData = (note: HumanNote, now: Date) => ({
  about: note.subject.toLowerCase(),
  ...fieldsOf(note, 'qid', 'metric', 'taskId', 'cooldownId', 'text', 'author'),
  updated_at: compactTimestamp(note.updatedAt, now),
});

const machineData = (note: MachineNote, now: Date) => ({
  ...fieldsOf(note, 'executionId', 'taskId'),
  timestamp: compactTimestamp(note.timestamp, now),
  note: note.note,
});

function humanSentences(
  where: string,
  count: number,
  shown: readonly HumanNote[],
  chipSize: number,
): readonly string[] {
  if (count === 0) return [`Nobody left a note on ${where}.`];
  const named = shown.slice(0, SHOWN_NOTES).map((note) => {
    const text = note.text.length > SHOWN_CHARACTERS ? `${note.text.slice(0, SHOWN_CHARACTERS)}…` : note.text;
    const by = [note.author, note.updatedAt && formatTime(note.updatedAt)].filter(Boolean).join(', ');
    return `On ${noteAbout(note, chipSize)}: “${text.replaceAll(/\s+/gu, ' ')}”${by === '' ? '' : ` (${by})`}.`;
  });
  return [`${countOf(count, 'note')} of people on ${where}, newest first.`, ...named];
}

function machineSentences(chipId: string, notes: readonly MachineNote[]): readonly string[] {
  const [newest] = notes;
  if (newest === undefined) return [`No machine notes on ${chipId}.`];
  const kinds = Object.keys(newest.note).join(', ') || 'nothing';
  return [
    `${countOf(notes.length, 'machine note')}; the newest, of execution ${newest.executionId} (${formatTime(newest.timestamp)}), holds ${kinds}.`,
  ];
}
