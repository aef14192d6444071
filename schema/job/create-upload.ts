import type { Upload as DomainUpload, UploadKind } from '../../src/domain/datasets/dataset.ts';
import { InvalidInputError, RateLimitedError } from '../../src/base/errors.ts';
import { builder } from '../builder.ts';
import { enumOf } from '../enums.ts';
import { Upload } from '../refs.ts';

const UploadKindEnum = enumOf<UploadKind>('UploadKind', 'What an uploaded file is kept as.', {
  TABLE: 'A table that conversations can ask.',
  TEXT: 'A text as it is: instructions or a configuration for a job.',
});

const CreateUploadInput = builder.inputType('CreateUploadInput', {
  description: 'A file to be uploaded.',
  fields: (t) => ({
    kind: t.field({
      type: UploadKindEnum,
      required: false,
      defaultValue: 'TABLE',
      description: 'What the file is to be kept as.',
    }),
    file: t.field({
      type: 'File',
      description:
        'A table is CSV in UTF-8, at most 50 MB unless the operator chose otherwise: headings in the first line, cells between commas, semicolons or tabs, decimal points. A text is UTF-8 with at most 200,000 bytes.',
    }),
  }),
});

const CreateUploadPayload = builder
  .objectRef<{ readonly upload: DomainUpload }>('CreateUploadPayload')
  .implement({
    description: 'The file was taken.',
    fields: (t) => ({
      upload: t.expose('upload', {
        type: Upload,
        description: 'The table as it was understood, or the text, which has neither rows nor columns.',
      }),
    }),
  });

const CreateUploadResult = builder.errorUnion('CreateUploadResult', {
  description: 'What became of an upload.',
  types: [CreateUploadPayload, InvalidInputError, RateLimitedError],
  resolveType: () => CreateUploadPayload,
});

builder.mutationField('createUpload', (t) =>
  t.field({
    type: CreateUploadResult,
    description:
      'Takes a CSV file and keeps it as a table, to be named in `uploadIds` of a message; or a text, for `createJob`.',
    args: { input: t.arg({ type: CreateUploadInput, description: 'The file.' }) },
    resolve: async (_root, { input: { file, kind } }, { services, viewer, signal }) => ({
      upload:
        kind === 'TEXT'
          ? await services.uploads.createText(viewer, file)
          : await services.uploads.create(viewer, file, signal),
    }),
  }),
);
