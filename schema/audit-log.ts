/** What members did, for those who administer the project. */
import type { AuditEntry as DomainEntry, AuditKind } from '../src/domain/audit/audit.ts';
import { builder } from './builder.ts';
import { connectionOf, pageField, readPage } from './connections.ts';
import { enumOf } from './enums.ts';

const AuditKindEnum = enumOf<AuditKind>('AuditKind', 'What somebody did, roughly.', {
  SIGN_IN: 'Signed in, or became known by a proxy.',
  SIGN_OUT: 'Signed out.',
  SIGN_IN_FAILED: 'Tried to sign in, and could not.',
  VIEW: 'Opened what somebody else shared.',
  EXPORT: 'Took records along, as a file.',
  DOWNLOAD: 'Downloaded a file.',
  SUBMIT: 'Sent a message, a job, a verdict or a file.',
  CHANGE: 'Changed something of their own, or an expert.',
  DELETE: 'Deleted something.',
  ADMINISTER: 'Changed members, accounts, keys, budgets or the installation.',
});

const AuditId = builder.objectRef<readonly [name: string, id: string]>('AuditId').implement({
  description: 'Something that an act was about.',
  fields: (t) => ({
    name: t.string({ description: 'Its name, for example `jobId`.', resolve: ([name]) => name }),
    id: t.string({
      description: 'Its id or value, as the log of the server has it.',
      resolve: ([, id]) => id,
    }),
  }),
});

const AuditEntry = builder.objectRef<DomainEntry>('AuditEntry').implement({
  description:
    'A record of the audit: it is never changed, and goes by age alone. It has no words of conversations.',
  fields: (t) => ({
    number: t.exposeString('number', { description: 'Grows with time.' }),
    at: t.expose('at', { type: 'DateTime', description: 'When it was done.' }),
    kind: t.expose('kind', { type: AuditKindEnum, description: 'What it was, roughly.' }),
    action: t.exposeString('action', { description: 'The mutation, route or command.' }),
    outcome: t.exposeString('outcome', {
      description: '`DONE`, or the code of the error that prevented it.',
    }),
    personId: t.exposeString('personId', {
      nullable: true,
      description: 'Who, as `Viewer.id`; null for somebody who was not recognised.',
    }),
    personName: t.exposeString('personName', { nullable: true, description: 'Their name at that time.' }),
    keyId: t.exposeString('keyId', {
      nullable: true,
      description: 'The API key that was used; null for a person.',
    }),
    address: t.exposeString('address', {
      nullable: true,
      description: 'Address in the network; behind trusted proxies that of the client.',
    }),
    projectId: t.exposeString('projectId', {
      nullable: true,
      description: 'The project; null for what belongs to none, as a sign-in.',
    }),
    ids: t.field({
      type: [AuditId],
      description: 'What it was about.',
      resolve: ({ ids }) => Object.entries(ids),
    }),
  }),
});

const AuditFilterInput = builder.inputType('AuditFilter', {
  description: 'Narrows the records; each part that is given must hold.',
  fields: (t) => ({
    personId: t.id({ required: false, description: 'Id of a user, as `Viewer.id` has it.' }),
    kinds: t.field({ type: [AuditKindEnum], required: false, description: 'One of these kinds.' }),
    from: t.field({ type: 'DateTime', required: false, description: 'From this time on.' }),
    to: t.field({ type: 'DateTime', required: false, description: 'Before this time.' }),
    projectId: t.string({
      required: false,
      description: 'Another project than that of the request; for administrators of the installation.',
    }),
    everywhere: t.boolean({
      required: false,
      defaultValue: false,
      description:
        'All projects, and what belongs to none, as sign-ins; for administrators of the installation.',
    }),
  }),
});

const AuditConnection = connectionOf(AuditEntry, 'records of the audit');
const page = pageField({ size: 50 });

builder.queryField('auditLog', (t) =>
  t.field({
    rule: 'admin: project',
    type: AuditConnection,
    description:
      'Who did what in the project of the request, newest first: submitted, changed, deleted, downloaded, administered, and was refused.',
    complexity: page.complexity,
    args: {
      ...page.args,
      filter: t.arg({
        type: AuditFilterInput,
        required: false,
        description: 'Which records; omit it for all.',
      }),
    },
    resolve: (_root, { filter, ...args }, { services, viewer }) =>
      readPage(args, (asked) => services.audit.page(viewer, { ...filter, ...asked }), 50),
  }),
);
