import type { DatasetColumn, DatasetColumnType, UploadKind } from '../../src/domain/datasets/dataset.ts';
import { builder } from '../builder.ts';
import { enumOf } from '../enums.ts';
import { objectResult } from '../errors.ts';
import { Upload } from '../refs.ts';

const UploadColumnType = enumOf<'NUMBER' | 'TEXT' | 'DATETIME'>(
  'UploadColumnType',
  'Type of an uploaded column, determined from all of its values.',
  {
    NUMBER: 'Finite numbers.',
    TEXT: 'Text, and everything that fits no other type.',
    DATETIME: 'Times; those without an offset were read as UTC.',
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
      description: 'Unit from a heading such as `T1 (us)`; null without one.',
    }),
    missing: t.exposeInt('missing', {
      description: 'Number of rows without a value, such as empty cells and NaN.',
    }),
  }),
});

builder.node(Upload, {
  rule: 'viewer: own',
  description: 'An uploaded table or text. It is removed after a day unless a session uses it.',
  id: { resolve: ({ id }) => id },
  loadWithoutCache: async (id, { services, viewer }) => {
    const [upload] = await services.uploads.byIds(viewer, [id]);
    return upload ?? null;
  },
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the file.' }),
    sizeBytes: t.exposeInt('sizeBytes', { description: 'Size of the file as sent, in bytes.' }),
    rowCount: t.exposeInt('rowCount', { description: 'Number of rows below the header; 0 for a text.' }),
    columns: t.field({
      type: [UploadColumn],
      description: 'Columns from left to right; empty for a text.',
      resolve: ({ columns }) => [...columns],
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was uploaded.' }),
  }),
});

const UploadKindEnum = enumOf<UploadKind>('UploadKind', 'What an uploaded file is stored as.', {
  TABLE: 'A table that conversations can query.',
  TEXT: 'An unchanged text: instructions or a configuration for a job.',
});

const CreateUploadInput = builder.inputType('CreateUploadInput', {
  description: 'A file to upload.',
  fields: (t) => ({
    kind: t.field({
      type: UploadKindEnum,
      required: false,
      defaultValue: 'TABLE',
      description: 'What to store the file as.',
    }),
    file: t.field({
      type: 'File',
      description:
        'A table is CSV in UTF-8, at most 50 MB by default: headings in the first line; commas, semicolons or tabs between cells; decimal points. A text is UTF-8 of at most 200,000 bytes.',
    }),
  }),
});

builder.mutationField('createUpload', (t) =>
  t.field({
    rule: 'viewer: own',
    audit: 'SUBMIT',
    type: objectResult('CreateUpload', {
      field: 'upload',
      type: Upload,
      about: 'The table as it was parsed, or the text, which has neither rows nor columns.',
      description: 'The file was stored.',
      errors: ['INVALID_INPUT', 'RATE_LIMITED'],
    }),
    description: 'Stores a CSV file as a table for `uploadIds` of a message, or a text for `createJob`.',
    args: { input: t.arg({ type: CreateUploadInput, description: 'The file.' }) },
    resolve: async (_root, { input: { file, kind } }, { services, viewer, signal }) => ({
      upload:
        kind === 'TEXT'
          ? await services.uploads.createText(viewer, file)
          : await services.uploads.create(viewer, file, signal),
    }),
  }),
);
