import type { HumanNote as Note, MachineNote } from '../../src/domain/records/notes.ts';
import { builder } from '../builder.ts';
import { connectionOf, pageField, readPage } from '../connections.ts';
import { NoteSubjectEnum } from '../enums.ts';
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

const HumanNote = builder.objectRef<Note>('HumanNote').implement({
  description: 'A remark by a person about a chip, a part of it, or a result.',
  fields: (t) => ({
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
      description: 'The cool-down it applies to; null for all time.',
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

const CalibrationNoteConnection = connectionOf(CalibrationNote, 'machine notes, newest first');

builder.objectFields(Chip, (t) => ({
  notes: t.field({
    type: CalibrationNoteConnection,
    description: 'Data that the control software recorded for runs on this chip, newest first.',
    ...pageField(),
    resolve: (chip, page, { services }) => readPage(page, (request) => services.notes.machine(chip, request)),
  }),
  humanNotes: t.field({
    type: [HumanNote],
    description: 'Remarks by people about this chip, its qubits, couplings and results, newest first.',
    args: { qid: t.arg.string({ required: false, description: 'Only about this qubit or coupling.' }) },
    resolve: async (chip, { qid }, { services }) => [...(await services.notes.human(chip, qid ?? null))],
  }),
}));
