import type { Datasource as DomainDatasource } from '../../src/sources/databases/datasource.ts';
import { builder } from '../builder.ts';
import { enumOf } from '../enums.ts';

const TYPES = {
  mongodb: 'MONGODB',
  sql: 'SQL',
  dataset: 'DATASET',
} as const satisfies Record<DomainDatasource['type'], string>;

const DatasourceTypeEnum = enumOf<(typeof TYPES)[DomainDatasource['type']]>(
  'DatasourceType',
  'Kinds of datasources.',
  {
    MONGODB: 'A MongoDB database.',
    SQL: 'A Postgres database.',
    DATASET: 'A CSV file, which is copied into the workspace.',
  },
);

/** A datasource as everybody may see it. */
export const Datasource = builder.objectRef<DomainDatasource>('Datasource').implement({
  description:
    'A database or file of the lab that a job may read in addition to the calibration data. Its address and credentials stay on the server.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'Its id in the settings of the server, for `datasourceIds` of a job.',
    }),
    name: t.exposeString('name', { description: 'Name for people.' }),
    type: t.field({
      type: DatasourceTypeEnum,
      description: 'Its kind.',
      resolve: ({ type }) => TYPES[type],
    }),
    readOnly: t.exposeBoolean('readOnly', {
      description: 'Whether its account can only read. QPilot itself never writes to it.',
    }),
  }),
});

builder.queryField('datasources', (t) =>
  t.field({
    rule: 'viewer: project',
    type: [Datasource],
    description: 'Datasources that jobs of the project may use, in the order of the settings.',
    resolve: async (_root, _args, { services, viewer }) => [
      ...(await services.datasourcesOf(viewer.projectId)).all,
    ],
  }),
);
