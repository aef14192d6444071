import type { Viewer as DomainViewer } from '../src/domain/session.ts';
import type { Project as DomainProject } from '../src/services/chip-services.ts';
import { builder } from './builder.ts';

const Project = builder.objectRef<DomainProject>('Project').implement({
  description: 'A project: chips, results and conversations belong to one, and a request sees one.',
  fields: (t) => ({
    projectId: t.exposeString('projectId', { description: 'Its id; name it in the header `x-project-id`.' }),
    name: t.exposeString('name', { description: 'Its name for people.' }),
  }),
});

const Viewer = builder.objectRef<DomainViewer>('Viewer').implement({
  description: 'Who asks, and within which project.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the user; `local` while there is no sign-in.' }),
    name: t.exposeString('name', { description: 'Name of the user.' }),
    projectId: t.exposeString('projectId', { description: 'The project that this request sees.' }),
    role: t.string({
      description: '`owner`: without sign-in, whoever reaches the server may do everything.',
      resolve: () => 'owner',
    }),
    projects: t.field({
      type: [Project],
      description: 'Projects that the viewer may name.',
      resolve: async (_viewer, _args, { services }) => [...(await services.projects.list())],
    }),
  }),
});

builder.queryField('viewer', (t) =>
  t.field({ type: Viewer, description: 'Who asks.', resolve: (_root, _args, { viewer }) => viewer }),
);
