import type { ListedExpert } from '../../src/services/experts/experts.ts';
import { builder } from '../builder.ts';
import { objectResult, resultOf } from '../errors.ts';
import { Expert } from '../refs.ts';

const SaveExpertInput = builder.inputType('SaveExpertInput', {
  description: 'An expert to save in the project.',
  fields: (t) => ({
    expertId: t.string({
      description:
        'Lowercase letters, digits and dashes, such as `t1-drift`; never the id of a shipped expert.',
    }),
    displayName: t.string({ description: 'Its name, at most 80 characters.' }),
    description: t.string({
      required: false,
      description: 'What it is for, at most 500 characters; omit it to have it generated from the tools.',
    }),
    icon: t.string({ required: false, description: 'Name of an icon, such as `chart-line`.' }),
    color: t.string({ required: false, description: 'A colour as `#rrggbb`.' }),
    tags: t.stringList({ required: false, description: 'Keywords, at most 20.' }),
    instructions: t.string({
      description: 'Its instructions, as Markdown of at most 200,000 bytes in UTF-8.',
    }),
    config: t.field({
      type: 'JSON',
      required: false,
      description: 'Overrides of the defaults, `{llm, tools}` with the names used in YAML files.',
    }),
    version: t.int({
      required: false,
      description: 'The version to replace; omit it for a new expert.',
    }),
  }),
});

const DeleteExpertInput = builder.inputType('DeleteExpertInput', {
  description: 'The saved expert to delete.',
  fields: (t) => ({
    expertId: t.string({ description: 'Id of a saved expert of the project.' }),
    version: t.int({ required: false, description: 'Delete only if this is the newest version.' }),
  }),
});

const DeleteExpertPayload = builder.objectRef<{ expertId: string }>('DeleteExpertPayload').implement({
  description: 'The expert was deleted.',
  fields: (t) => ({ expertId: t.exposeString('expertId', { description: 'The id, which is free now.' }) }),
});

const ReloadExpertsPayload = builder
  .objectRef<{ experts: readonly ListedExpert[] }>('ReloadExpertsPayload')
  .implement({
    description: 'The files of the shipped experts were read again.',
    fields: (t) => ({
      experts: t.field({
        type: [Expert],
        description: 'All experts of the project.',
        resolve: ({ experts }) => [...experts],
      }),
    }),
  });

builder.mutationFields((t) => ({
  saveExpert: t.field({
    rule: 'editor: project',
    audit: 'CHANGE',
    type: objectResult('SaveExpert', {
      field: 'expert',
      type: Expert,
      about: 'The expert with its new version.',
      description: 'The expert was saved.',
      errors: ['INVALID_INPUT', 'NOT_FOUND', 'CONFLICT', 'FORBIDDEN'],
    }),
    description:
      'Saves an expert in the project, for all its members. Editors replace only what they made; admins and owners all. Files of shipped experts are never written.',
    args: { input: t.arg({ type: SaveExpertInput, description: 'The whole expert.' }) },
    resolve: async (_root, { input }, { services, viewer }) => ({
      expert: await services.experts.save(viewer, input),
    }),
  }),
  deleteExpert: t.field({
    rule: 'editor: project',
    audit: 'DELETE',
    type: resultOf(DeleteExpertPayload, ['INVALID_INPUT', 'NOT_FOUND', 'CONFLICT', 'FORBIDDEN']),
    description:
      'Deletes a saved expert, of oneself or as an admin or owner any. Jobs created with it keep their copy.',
    args: { input: t.arg({ type: DeleteExpertInput, description: 'The expert.' }) },
    resolve: async (_root, { input }, { services, viewer }) => {
      await services.experts.delete(viewer, input);
      return { expertId: input.expertId };
    },
  }),
  reloadExperts: t.field({
    rule: 'operator',
    audit: 'ADMINISTER',
    type: ReloadExpertsPayload,
    description:
      'Reads the files of the shipped experts again, on the server that handles the request. Only for administrators of the installation.',
    resolve: async (_root, _args, { services, viewer }) => ({
      experts: await services.experts.reload(viewer),
    }),
  }),
}));
