import { isStale } from '../../src/domain/values/freshness.ts';
import { DataSourceEnum } from '../enums.ts';
import { Freshness } from '../refs.ts';

Freshness.implement({
  description: 'How old the rows are that a result was made from.',
  fields: (t) => ({
    source: t.expose('source', { type: DataSourceEnum, description: 'Where the rows came from.' }),
    newestAt: t.expose('newestAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the newest row was measured; null when no row has a time.',
    }),
    oldestAt: t.expose('oldestAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the oldest row was measured; null when no row has a time.',
    }),
    staleAfterSeconds: t.exposeInt('staleAfterSeconds', {
      nullable: true,
      description: 'The strictest age limit of the metrics used, in seconds; null when none has a limit.',
    }),
    isStale: t.boolean({
      description: 'True when the oldest row is older than the limit, as of this request.',
      resolve: (freshness, _args, { now }) => isStale(freshness, now()),
    }),
  }),
});
