import type { DatasetColumn, DatasetColumnType } from '../../src/domain/datasets/dataset.ts';
import { builder } from '../builder.ts';
import { enumOf } from '../enums.ts';
import { Upload } from '../refs.ts';

const UploadColumnType = enumOf<'NUMBER' | 'TEXT' | 'DATETIME'>(
  'UploadColumnType',
  'What the values of an uploaded column are, judged by all of them.',
  {
    NUMBER: 'Finite numbers.',
    TEXT: 'Text, and everything that fits no other type.',
    DATETIME: 'Moments; those without an offset were read as UTC.',
  },
);

const TYPES = {
  number: 'NUMBER',
  text: 'TEXT',
  datetime: 'DATETIME',
} as const satisfies Record<DatasetColumnType, string>;

const UploadColumn = builder.objectRef<DatasetColumn>('UploadColumn').implement({
  description: 'A column of an uploaded table.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its heading, without the unit.' }),
    type: t.field({
      type: UploadColumnType,
      description: 'Type of its values.',
      resolve: ({ type }) => TYPES[type],
    }),
    unit: t.exposeString('unit', {
      nullable: true,
      description: 'Unit from a heading such as `T1 (us)`; null where it named none.',
    }),
    missing: t.exposeInt('missing', { description: 'Rows without a value, such as empty cells and NaN.' }),
  }),
});

builder.node(Upload, {
  description:
    'A table that was uploaded as CSV. It is removed a day after its upload unless a session uses it.',
  id: { resolve: ({ id }) => id },
  loadWithoutCache: async (id, { services, viewer }) => {
    const [upload] = await services.uploads.byIds(viewer, [id]);
    return upload ?? null;
  },
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the file.' }),
    sizeBytes: t.exposeInt('sizeBytes', { description: 'Size of the file as it was sent, in bytes.' }),
    rowCount: t.exposeInt('rowCount', { description: 'Rows below the header.' }),
    columns: t.field({
      type: [UploadColumn],
      description: 'Columns from left to right.',
      resolve: ({ columns }) => [...columns],
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was uploaded.' }),
  }),
});
