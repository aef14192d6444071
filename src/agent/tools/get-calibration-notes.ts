/** `get_calibration_notes`: what people wrote about a chip, and what machines kept for its runs. */
import { z } from 'zod';
import type { HumanNote, MachineNote } from '../../domain/records/notes.ts';
import { normaliseQid, qidLabel } from '../../domain/qid.ts';
import { compactTimestamp } from '../../domain/text/compact.ts';
import { countOf } from '../../domain/text/display-text.ts';
import { freshnessOf } from '../../domain/values/freshness.ts';
import { IMPORT_DOUBT_TAG, type TaskResult } from '../../domain/values/task-result.ts';
import { humanNotesTable } from '../../domain/visual-rules/record-tables.ts';
import { noDataNote } from '../../domain/visual-rules/table.ts';
import type { JsonObject } from '../../domain/visuals.ts';
import { defineTool } from '../tool.ts';
import { chipIdArg, chipOf, chipWords } from './chip-argument.ts';
import { lastNArg } from './list-arguments.ts';
import {
  countSentence,
  heldOf,
  heldSentences,
  holdings,
  machineSentences,
  noteSentence,
  projectSentences,
  searchedSentences,
  stands,
} from './note-words.ts';
import { fieldsOf } from './row-data.ts';

const DEFAULT_LAST_N = 10;
/** Remarks of language models that are quoted, and machine notes that a model is sent. */
const SHOWN_AI = 2;
const SHOWN_MACHINE = 3;
/** Results that an importer doubts: counted up to here, and named. */
const MOST_DOUBTS = 100;
const SHOWN_DOUBTS = 3;
/** Room for data and summary in the text that a model reads; its source and age take the rest of 1,500 characters. */
const MODEL_CHARACTERS = 1_300;

export const getCalibrationNotes = defineTool({
  name: 'get_calibration_notes',
  category: 'notes',
  rule: 'viewer: project',
  reads: 'DIRECT',
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
    skip: z.number().int().min(0).max(1_000).nullable(),
  }),
  describe: ({ chip_id, kind, qid }) => `${kind ?? 'all'} notes on ${qid || chipWords(chip_id)}`,
  run: async ({ chip_id, kind, qid, execution_id, task_id, last_n, skip }, context) => {
    const chip = await chipOf(context, chip_id);
    const first = last_n ?? DEFAULT_LAST_N;
    const passed = skip ?? 0;
    const filter = { executionId: execution_id || null, taskId: task_id || null };
    const [recorded, kept, doubted, ofProject] = await Promise.all([
      kind === 'machine' ? null : context.loaders.recordedNotes.load({ chip, qid: qid || null }),
      kind === 'human'
        ? []
        : context.services.notes
            .machine(chip, { first, filter })
            .then(({ items }) => items.map(({ item }) => item)),
      kind === 'machine'
        ? []
        : context.services.taskResults
            .page(chip, { first: MOST_DOUBTS, filter: { qid: qid || null, tags: [IMPORT_DOUBT_TAG] } })
            .then(({ items }) => items.map(({ item }) => item)),
      kind === 'machine' || qid || task_id ? [] : context.services.notes.ofProject(context.viewer),
    ]);
    const doubts = doubted.filter(({ taskId }) => !task_id || taskId === task_id);
    const ofTask = (recorded?.notes ?? []).filter((note) => !task_id || note.taskId === task_id);
    const now = context.now();
    const people = ofTask.filter(({ isAi }) => !isAi);
    const pinned = people.filter((note) => stands(note, now));
    const human = [...pinned, ...people.filter((note) => !stands(note, now))];
    const ai = ofTask.filter(({ isAi }) => isAi);
    const shown = human.slice(passed, passed + first);
    const where = `${qid ? `${qidLabel(normaliseQid(qid), chip.size)} on ` : ''}${chip.chipId}`;
    const title = `Notes on ${where}`;
    const machine = kept.map((note) => machineData(note, qid || null, now));
    const summaryWith = (quotes: number): string =>
      [
        ...(recorded === null
          ? []
          : [
              countSentence(where, {
                all: human.length,
                pinned: pinned.length,
                from: passed + 1,
                to: passed + quotes,
              }),
              ...shown.slice(0, quotes).map((note) => noteSentence(note, chip.size, now)),
              ...aiSentences(ai, quotes < shown.length ? 0 : SHOWN_AI, chip.size, now),
              ...searchedSentences(recorded.searched),
              ...projectSentences(ofProject, now),
              ...doubtSentences(where, doubts, chip.size),
            ]),
        ...(kind === 'human' ? [] : machineSentences(chip.chipId, kept)),
        ...(qid && kept[0]
          ? heldSentences(qidLabel(normaliseQid(qid), chip.size), heldOf(kept[0], normaliseQid(qid)))
          : []),
      ].join('\n');
    const modelDataWith = (quotes: number): JsonObject => ({
      chip_id: chip.chipId,
      ...(recorded === null
        ? {}
        : {
            human_notes: {
              total: human.length,
              shown: quotes,
              ...(passed + quotes < human.length ? { next: `skip ${passed + quotes}` } : {}),
            },
            ai_notes: ai.length,
            importer_doubts: doubts.length,
          }),
      ...(kind === 'human'
        ? {}
        : {
            machine_notes: machine.slice(0, SHOWN_MACHINE),
            ...(machine.length > SHOWN_MACHINE
              ? { machine_notes_shown: `${SHOWN_MACHINE} of ${machine.length}; others by execution_id` }
              : {}),
          }),
    });
    const isFit = (quotes: number): boolean =>
      JSON.stringify([modelDataWith(quotes), summaryWith(quotes)]).length <= MODEL_CHARACTERS;
    const quotes =
      Array.from(shown, (_, index) => shown.length - index).find(isFit) ?? Math.min(1, shown.length);
    return {
      data: {
        chip_id: chip.chipId,
        human_notes: shown.map((note) => noteData(note, now)),
        ai_notes: ai.slice(0, first).map((note) => noteData(note, now)),
        project_notes: ofProject.slice(0, first).map((note) => noteData(note, now)),
        importer_doubts: doubts.slice(0, first).map(doubtData),
        machine_notes: machine,
      },
      modelData: modelDataWith(quotes),
      formattedSummary: summaryWith(quotes),
      preview: [
        countOf(human.length, 'remark'),
        ...(doubts.length > 0 ? [`${countOf(doubts.length, 'doubt')} of the importer`] : []),
        countOf(kept.length, 'machine note'),
      ].join(', '),
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

function aiSentences(
  notes: readonly HumanNote[],
  quotes: number,
  chipSize: number,
  now: Date,
): readonly string[] {
  if (notes.length === 0) return [];
  return [
    `${countOf(notes.length, 'remark')} of language models.`,
    ...notes.slice(0, quotes).map((note) => noteSentence(note, chipSize, now)),
  ];
}

const doubtData = (result: TaskResult): JsonObject => ({
  qid: result.qid,
  task_id: result.taskId,
  parameters: result.outputParameters.map(({ name }) => name),
  doubt: result.importDoubt,
  excluded: result.excluded,
});

/** What a program found odd in a file is no remark of a person. */
function doubtSentences(where: string, doubts: readonly TaskResult[], chipSize: number): readonly string[] {
  if (doubts.length === 0) return [];
  const count = `${doubts.length === MOST_DOUBTS ? 'at least ' : ''}${countOf(doubts.length, 'result')}`;
  const named = doubts
    .slice(0, SHOWN_DOUBTS)
    .map(
      ({ qid, outputParameters, importDoubt, excluded }) =>
        `${outputParameters.map(({ title }) => title).join(', ')} of ${qidLabel(qid, chipSize)}${excluded ? ' (excluded)' : ''}: ${importDoubt}`,
    );
  // no claim: the order of pages, which tests of runs prove
  return [`The importer, not a person, doubts ${count} on ${where}, newest first: ${named.join('; ')}.`];
}

const noteData = (note: HumanNote, now: Date): JsonObject => ({
  about: note.subject.toLowerCase(),
  ...fieldsOf(note, 'qid', 'metric', 'taskId', 'cooldownId', 'text', 'author'),
  updated_at: compactTimestamp(note.updatedAt, now),
  source: note.source.toLowerCase(),
  ...(note.title === null ? {} : { title: note.title }),
  ...(note.isResolved === null ? {} : { resolved: note.isResolved }),
  ...(note.validFrom === null ? {} : { valid_from: note.validFrom.toISOString() }),
  ...(note.validUntil === null
    ? {}
    : { valid_until: note.validUntil.toISOString(), over: note.validUntil <= now }),
});

/** Of the raw maps, which fill tens of thousands of characters, only what they hold of how many. */
const machineData = (note: MachineNote, qid: string | null, now: Date): JsonObject => ({
  ...fieldsOf(note, 'executionId', 'taskId'),
  timestamp: compactTimestamp(note.timestamp, now),
  holds: holdings(note),
  ...(qid === null ? {} : { of_qid: heldOf(note, normaliseQid(qid)) }),
});
