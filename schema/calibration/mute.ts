/** Values that are known to be bad, and until when. */
import type { Mute as DomainMute } from '../../src/domain/records/mute.ts';
import { builder } from '../builder.ts';
import { objectResult } from '../errors.ts';
import { User } from '../refs.ts';

const Mute = builder.objectRef<DomainMute>('Mute').implement({
  rule: 'viewer: project',
  description: 'That a value is known to be bad, as a member says; pages show it apart until then.',
  fields: (t) => ({
    partId: t.exposeString('partId', { description: 'Qubit `7` or coupling `4-1`.' }),
    parameter: t.exposeString('parameter', {
      nullable: true,
      description: 'Key of the parameter; null for all of the part.',
    }),
    reason: t.exposeString('reason', { description: 'Why it is known, in the words of who muted it.' }),
    mutedBy: t.field({
      type: User,
      description: 'Who muted it.',
      resolve: ({ mutedBy }, _args, { loaders }) => loaders.user.load(mutedBy),
    }),
    mutedAt: t.expose('mutedAt', { type: 'DateTime', description: 'When it was muted.' }),
    until: t.expose('until', { type: 'DateTime', description: 'When it ends.' }),
  }),
});

const ChipMutes = builder.objectRef<readonly DomainMute[]>('ChipMutes').implement({
  description: 'All that is muted of a chip.',
  fields: (t) => ({
    all: t.field({ type: [Mute], description: 'The first to end first.', resolve: (mutes) => [...mutes] }),
  }),
});

const about = {
  chipId: 'Name of the chip.',
  partId: 'Qubit `7` or coupling `4-1`.',
  parameter: 'Key of the parameter; leave it out for all of the part.',
};

const MuteInput = builder.inputType('MuteInput', {
  description: 'What is known to be bad.',
  fields: (t) => ({
    chipId: t.string({ description: about.chipId }),
    partId: t.string({ description: about.partId }),
    parameter: t.string({ required: false, description: about.parameter }),
    reason: t.string({ description: 'Why it is known: 1 to 300 characters.' }),
    until: t.field({ type: 'DateTime', description: 'When it ends, within 366 days.' }),
  }),
});

const UnmuteInput = builder.inputType('UnmuteInput', {
  description: 'What is to be shown again.',
  fields: (t) => ({
    chipId: t.string({ description: about.chipId }),
    partId: t.string({ description: about.partId }),
    parameter: t.string({ required: false, description: about.parameter }),
  }),
});

builder.queryField('mutes', (t) =>
  t.field({
    rule: 'viewer: project',
    type: [Mute],
    description:
      'Values of a chip that members know to be bad, the first to end first. Health, tools and answers do not heed it.',
    args: { chipId: t.arg.string({ description: about.chipId }) },
    resolve: (_root, { chipId }, { services, viewer }) => services.mutes.ofChip(viewer, chipId),
  }),
);

builder.mutationFields((t) => ({
  mute: t.field({
    rule: 'editor: project',
    audit: 'CHANGE',
    type: objectResult('Mute', {
      field: 'mutes',
      type: ChipMutes,
      about: 'What is muted of the chip now.',
      description: 'The value is muted.',
      errors: ['INVALID_INPUT', 'NOT_FOUND', 'FORBIDDEN'],
    }),
    description: 'Mutes a value, or changes for how long and why. It holds for all members of the project.',
    args: { input: t.arg({ type: MuteInput, description: 'The value.' }) },
    resolve: async (_root, { input }, { services, viewer }) => ({
      mutes: await services.mutes.add(viewer, input),
    }),
  }),
  unmute: t.field({
    rule: 'editor: project',
    audit: 'CHANGE',
    type: objectResult('Unmute', {
      field: 'mutes',
      type: ChipMutes,
      about: 'What is muted of the chip now.',
      description: 'The value is not muted.',
      errors: ['INVALID_INPUT', 'FORBIDDEN'],
    }),
    description: 'Shows a value again. Doing so again changes nothing.',
    args: { input: t.arg({ type: UnmuteInput, description: 'The value.' }) },
    resolve: async (_root, { input }, { services, viewer }) => ({
      mutes: await services.mutes.remove(viewer, input),
    }),
  }),
}));
