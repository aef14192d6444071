import type { ToolCategoryView, ToolView } from '../../src/services/experts/tool-categories.ts';
import { builder } from '../builder.ts';

const CategoryToolRef = builder.objectRef<ToolView>('CategoryTool').implement({
  description: 'A tool of a category.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'As settings name it.' }),
    label: t.exposeString('label', { description: 'What it does, in a few words.' }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether these settings switch it on.' }),
    unavailableReason: t.exposeString('unavailableReason', {
      nullable: true,
      description: 'What would have to be set up before it can be used; null where it can.',
    }),
  }),
});

/** A category of tools as settings have it. */
export const ToolCategoryRef = builder.objectRef<ToolCategoryView>('ToolCategory').implement({
  description: 'Tools that belong together, as settings have them.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'As settings name it, for example `timeseries`.' }),
    title: t.exposeString('title', { description: 'Its name for people.' }),
    purpose: t.exposeString('purpose', { description: 'What its tools are good for.' }),
    locked: t.exposeBoolean('locked', { description: 'True where it is part of every job.' }),
    tools: t.stringList({
      description: 'Names of the tools that are switched on, known here or not; none: switched off.',
      resolve: ({ enabled }) => [...enabled],
    }),
    allTools: t.field({
      type: [CategoryToolRef],
      description: 'All tools that the category has here.',
      resolve: ({ tools }) => [...tools],
    }),
    unavailableReason: t.exposeString('unavailableReason', {
      nullable: true,
      description: 'What would have to be set up before any of its tools can be used; null where some can.',
    }),
  }),
});
