import type { HumanNote as Note, MachineNote } from '../../src/domain/records/notes.ts';
import { builder } from '../builder.ts';
import { pageArgs, pageSize, PAGE_SIZE, toConnection } from '../connections.ts';
import { NoteSubjectEnum } from '../enums.ts';
import { Chip } from '../refs.ts';

const CalibrationNote = builder.objectRef<MachineNote>('CalibrationNote').implement({
  description: 'What the control software kept for a run: machine data, not remarks of people.',
  fields: (t) => ({
    executionId: t.exposeString('executionId', { description: 'The execution it belongs to.' }),
    taskId: t.exposeString('taskId', {
      description: 'The task result it belongs to; `master` for the whole execution.',
    }),
    note: t.field({
      type: 'JSON',
      description: 'Values as stored, by type and qubit label.',
      resolve: ({ note }) => note,
    }),
    timestamp: t.expose('timestamp', { type: 'DateTime', description: 'When it was written.' }),
  }),
});

const HumanNote = builder.objectRef<Note>('HumanNote').implement({
  description: 'What a person wrote about a chip, a part of it, or a result.',
  fields: (t) => ({
    subject: t.expose('subject', { type: NoteSubjectEnum, description: 'What it is about.' }),
    qid: t.exposeString('qid', {
      nullable: true,
      description: 'Qubit (`12`) or coupling (`4-1`); null when it is about the whole chip.',
    }),
    metric: t.exposeString('metric', {
      nullable: true,
      description: 'Key of the one metric it is about; null when it is about everything.',
    }),
    taskId: t.exposeString('taskId', { nullable: true, description: 'The task result it is about.' }),
    cooldownId: t.exposeString('cooldownId', {
      nullable: true,
      description: 'The cool-down it holds for; null when it holds for all time.',
    }),
    text: t.exposeString('text', { description: 'The remark as written; may be Markdown.' }),
    author: t.exposeString('author', { nullable: true, description: 'Who wrote it last.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was written last.',
    }),
  }),
});

const CalibrationNoteConnection = builder.connectionObject(
  {
    type: CalibrationNote,
    name: 'CalibrationNoteConnection',
    description: 'A page of machine notes, newest first.',
  },
  { name: 'CalibrationNoteEdge', description: 'A machine note with its cursor.' },
);

builder.objectFields(Chip, (t) => ({
  notes: t.field({
    type: CalibrationNoteConnection,
    description: 'What the control software kept for runs on this chip, newest first.',
    complexity: ({ first }) => ({ field: 1, multiplier: first ?? PAGE_SIZE }),
    args: {
      ...pageArgs(),
    },
    resolve: async (chip, { first, after }, { services }) =>
      toConnection(
        await services.notes.machine(chip, { first: pageSize(first), after: after ?? null }),
        after,
      ),
  }),
  humanNotes: t.field({
    type: [HumanNote],
    description: 'What people wrote about this chip, its qubits, couplings and results, newest first.',
    args: { qid: t.arg.string({ required: false, description: 'Only about this qubit or coupling.' }) },
    resolve: async (chip, { qid }, { services }) => [...(await services.notes.human(chip, qid ?? null))],
  }),
}));
