import type { Upload as DomainUpload } from '../src/domain/dataset.ts';
import { InvalidInputError, RateLimitedError } from '../src/errors.ts';
import { builder } from './builder.ts';
import { Upload } from './refs.ts';

const CreateUploadInput = builder.inputType('CreateUploadInput', {
  description: 'A table to be uploaded.',
  fields: (t) => ({
    file: t.field({
      type: 'File',
      description:
        'CSV in UTF-8, at most 50 MB unless the operator chose otherwise: headings in the first line, cells between commas, semicolons or tabs, decimal points.',
    }),
  }),
});

const CreateUploadPayload = builder
  .objectRef<{ readonly upload: DomainUpload }>('CreateUploadPayload')
  .implement({
    description: 'The table was taken.',
    fields: (t) => ({
      upload: t.expose('upload', { type: Upload, description: 'The table as it was understood.' }),
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
      'Takes a CSV file and keeps it as a table. Name it in `uploadIds` of a message, so that its session can use it.',
    args: { input: t.arg({ type: CreateUploadInput, description: 'The file.' }) },
    resolve: async (_root, { input }, { services, viewer, signal }) => ({
      upload: await services.uploads.create(viewer, input.file, signal),
    }),
  }),
);
