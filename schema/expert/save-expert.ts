import { ConflictError, InvalidInputError, NotFoundError } from '../../src/base/errors.ts';
import type { ListedExpert } from '../../src/services/experts/experts.ts';
import { builder } from '../builder.ts';
import { Expert } from '../refs.ts';

const SaveExpertInput = builder.inputType('SaveExpertInput', {
  description: 'An expert to keep in the project.',
  fields: (t) => ({
    expertId: t.string({
      description: 'Small letters, digits and dashes, such as `t1-drift`; never the id of a shipped expert.',
    }),
    displayName: t.string({ description: 'Its name, at most 80 characters.' }),
    description: t.string({
      required: false,
      description: 'What it is good for, at most 500 characters; left out, it is made from its tools.',
    }),
    icon: t.string({ required: false, description: 'Name of an icon, such as `chart-line`.' }),
    color: t.string({ required: false, description: 'A colour as `#rrggbb`.' }),
    tags: t.stringList({ required: false, description: 'Words to find it by, at most 20.' }),
    instructions: t.string({ description: 'What it is told, Markdown, at most 200,000 bytes in UTF-8.' }),
    config: t.field({
      type: 'JSON',
      required: false,
      description: 'Settings over the defaults, `{llm, tools}` with the names of the YAML files.',
    }),
    version: t.int({
      required: false,
      description: 'The version that this takes the place of; left out for a new expert.',
    }),
  }),
});

const SaveExpertPayload = builder.objectRef<{ expert: ListedExpert }>('SaveExpertPayload').implement({
  description: 'The expert was saved.',
  fields: (t) => ({
    expert: t.expose('expert', { type: Expert, description: 'The expert with its new version.' }),
  }),
});

const SaveExpertResult = builder.errorUnion('SaveExpertResult', {
  description: 'What became of an expert that was to be saved.',
  types: [SaveExpertPayload, InvalidInputError, NotFoundError, ConflictError],
  resolveType: () => SaveExpertPayload,
});

const DeleteExpertInput = builder.inputType('DeleteExpertInput', {
  description: 'Which saved expert to delete.',
  fields: (t) => ({
    expertId: t.string({ description: 'Id of a saved expert of the project.' }),
    version: t.int({ required: false, description: 'Delete only if this version still stands.' }),
  }),
});

const DeleteExpertPayload = builder.objectRef<{ expertId: string }>('DeleteExpertPayload').implement({
  description: 'The expert was deleted.',
  fields: (t) => ({ expertId: t.exposeString('expertId', { description: 'The id that is free now.' }) }),
});

const DeleteExpertResult = builder.errorUnion('DeleteExpertResult', {
  description: 'What became of an expert that was to be deleted.',
  types: [DeleteExpertPayload, InvalidInputError, NotFoundError, ConflictError],
  resolveType: () => DeleteExpertPayload,
});

const ReloadExpertsPayload = builder
  .objectRef<{ experts: readonly ListedExpert[] }>('ReloadExpertsPayload')
  .implement({
    description: 'The files of the shipped experts were read again.',
    fields: (t) => ({
      experts: t.field({
        type: [Expert],
        description: 'All experts of the project, as they are now.',
        resolve: ({ experts }) => [...experts],
      }),
    }),
  });

builder.mutationFields((t) => ({
  saveExpert: t.field({
    type: SaveExpertResult,
    description: 'Keeps an expert in the project. Files of shipped experts are never written.',
    args: { input: t.arg({ type: SaveExpertInput, description: 'The whole expert.' }) },
    resolve: async (_root, { input }, { services, viewer }) => ({
      expert: await services.experts.save(viewer, input),
    }),
  }),
  deleteExpert: t.field({
    type: DeleteExpertResult,
    description: 'Deletes a saved expert. Jobs that were made with it keep their copy of it.',
    args: { input: t.arg({ type: DeleteExpertInput, description: 'Which one.' }) },
    resolve: async (_root, { input }, { services, viewer }) => {
      await services.experts.delete(viewer, input);
      return { expertId: input.expertId };
    },
  }),
  reloadExperts: t.field({
    type: ReloadExpertsPayload,
    description: 'Reads the files of the shipped experts again, on the server that answers.',
    resolve: async (_root, _args, { services, viewer }) => ({
      experts: await services.experts.reload(viewer),
    }),
  }),
}));
