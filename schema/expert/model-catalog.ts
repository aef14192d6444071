import type { ModelGroup as DomainModelGroup } from '../../src/services/experts/model-groups.ts';
import { builder } from '../builder.ts';
import { ModelOption } from '../refs.ts';

const ModelGroup = builder.objectRef<DomainModelGroup>('ModelGroup').implement({
  description: 'Models of one provider.',
  fields: (t) => ({
    provider: t.exposeString('provider', { description: 'Who serves them, as in `ModelOption.provider`.' }),
    title: t.exposeString('title', { description: 'Its name for people.' }),
    models: t.field({
      type: [ModelOption],
      description: 'In the order in which to offer them.',
      resolve: ({ models }) => [...models],
    }),
  }),
});

builder.queryField('modelCatalog', (t) =>
  t.field({
    type: [ModelGroup],
    description: 'Models to offer for jobs and the builder, by provider. Any other name may be typed there.',
    resolve: (_root, _args, { services }) => [...services.modelGroups()],
  }),
);
