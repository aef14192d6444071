import type { HumanNote as Note, MachineNote, NoteSearch as Search } from '../../src/domain/records/notes.ts';
import { builder } from '../builder.ts';
import { VALUES_READ } from '../read-costs.ts';
import { connectionOf, pageField, readPage } from '../connections.ts';
import { NoteSourceEnum, NoteSubjectEnum } from '../enums.ts';
import { Chip } from '../refs.ts';

const CalibrationNote = builder.objectRef<MachineNote>('CalibrationNote').implement({
  description: 'Data that the control software recorded for a run; not a remark by a person.',
  fields: (t) => ({
    executionId: t.exposeString('executionId', { description: 'Its execution.' }),
    taskId: t.exposeString('taskId', {
      description: 'Its task result; `master` for the whole execution.',
    }),
    note: t.field({
      type: 'JSON',
      description: 'Values as stored, by type and qubit label.',
      resolve: ({ note }) => note,
    }),
    timestamp: t.expose('timestamp', { type: 'DateTime', description: 'When it was written.' }),
  }),
});

export const HumanNote = builder.objectRef<Note>('HumanNote').implement({
  description: 'A remark about a chip, a part of it, a result, or the whole project.',
  fields: (t) => ({
    source: t.expose('source', { type: NoteSourceEnum, description: 'Where it was left.' }),
    isAi: t.exposeBoolean('isAi', { description: 'Whether a language model wrote it, not a person.' }),
    title: t.exposeString('title', {
      nullable: true,
      description: 'Title of its issue, case or thread; null for a note.',
    }),
    isResolved: t.exposeBoolean('isResolved', {
      nullable: true,
      description: 'Whether its issue, case or thread is settled; null for a note.',
    }),
    validFrom: t.expose('validFrom', {
      type: 'DateTime',
      nullable: true,
      description: 'Start of the range or cool-down that it is about; null for an open range.',
    }),
    validUntil: t.expose('validUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'End of that range; null while it lasts.',
    }),
    subject: t.expose('subject', { type: NoteSubjectEnum, description: 'What it is about.' }),
    qid: t.exposeString('qid', {
      nullable: true,
      description: 'Qubit (`12`) or coupling (`4-1`); null for the whole chip.',
    }),
    metric: t.exposeString('metric', {
      nullable: true,
      description: 'Key of the metric it is about; null for all metrics.',
    }),
    taskId: t.exposeString('taskId', {
      nullable: true,
      description: 'The task result it is about; null for another subject.',
    }),
    cooldownId: t.exposeString('cooldownId', {
      nullable: true,
      description: 'The cool-down it applies to; null if it names none.',
    }),
    text: t.exposeString('text', { description: 'The remark as written, possibly Markdown.' }),
    author: t.exposeString('author', { nullable: true, description: 'Who last edited it; null if unknown.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last edited; null if unknown.',
    }),
  }),
});

const NoteSearch = builder.objectRef<Search>('NoteSearch').implement({
  description: 'How far a source of remarks was searched.',
  fields: (t) => ({
    source: t.expose('source', { type: NoteSourceEnum, description: 'The source.' }),
    isKept: t.exposeBoolean('isKept', { description: 'Whether this database has it at all.' }),
    newest: t.exposeInt('newest', {
      nullable: true,
      description: 'Only so many of its newest were read and there may be more; null if all were.',
    }),
  }),
});

const CalibrationNoteConnection = connectionOf(CalibrationNote, 'machine notes, newest first');

const ONLY_ABOUT = 'Only about this qubit or coupling, and on the whole chip where they name it.';

/** They are read together, from a dozen collections. */
const NOTES = { field: VALUES_READ, multiplier: 10 };

builder.objectFields(Chip, (t) => ({
  notes: t.field({
    type: CalibrationNoteConnection,
    description: 'Data that the control software recorded for runs on this chip, newest first.',
    ...pageField(),
    resolve: (chip, page, { services }) => readPage(page, (request) => services.notes.machine(chip, request)),
  }),
  humanNotes: t.field({
    type: [HumanNote],
    description:
      'Remarks by people about this chip, its qubits, couplings and results, newest first: notes, comments, issues, cases and forum posts.',
    complexity: NOTES,
    args: { qid: t.arg.string({ required: false, description: ONLY_ABOUT }) },
    resolve: async (chip, { qid }, { loaders }) =>
      (await loaders.recordedNotes.load({ chip, qid: qid ?? null })).notes.filter(({ isAi }) => !isAi),
  }),
  aiNotes: t.field({
    type: [HumanNote],
    description: 'Remarks by language models: reviews of results and replies in discussions, newest first.',
    complexity: NOTES,
    args: { qid: t.arg.string({ required: false, description: ONLY_ABOUT }) },
    resolve: async (chip, { qid }, { loaders }) =>
      (await loaders.recordedNotes.load({ chip, qid: qid ?? null })).notes.filter(({ isAi }) => isAi),
  }),
  notesSearched: t.field({
    type: [NoteSearch],
    description: 'Where `humanNotes` and `aiNotes` were looked for, so that an empty list can be believed.',
    complexity: NOTES,
    resolve: async (chip, _args, { loaders }) => [
      ...(await loaders.recordedNotes.load({ chip, qid: null })).searched,
    ],
  }),
}));
