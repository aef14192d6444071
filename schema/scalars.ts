import { DateTimeResolver, JSONResolver } from 'graphql-scalars';
import { GraphQLError } from 'graphql';
import type { SentFile } from '../src/services/uploads.ts';
import { builder } from './builder.ts';

builder.scalarType('DateTime', {
  description: 'A point in time as ISO 8601 text with an offset, for example `2026-03-01T12:00:00.000Z`.',
  serialize: (value) => DateTimeResolver.serialize(value),
  parseValue: (value) => DateTimeResolver.parseValue(value),
});

builder.scalarType('JSON', {
  description:
    'Any JSON value. Only used where a library (charts), a tool or a stored document defines the shape.',
  serialize: (value): unknown => JSONResolver.serialize(value),
  parseValue: (value): unknown => JSONResolver.parseValue(value),
});

builder.scalarType('File', {
  description:
    'A file, sent by a multipart request as in the GraphQL multipart request specification, with the header `graphql-require-preflight: 1`. Input only.',
  serialize: () => {
    throw new GraphQLError('a File is for input only');
  },
  parseValue: (value) => {
    if (isSentFile(value)) return value;
    throw new GraphQLError('a File is sent by a multipart request (GraphQL multipart request specification)');
  },
});

/** Recognised by its members: servers have their own classes for files. */
const isSentFile = (value: unknown): value is SentFile =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  'size' in value &&
  typeof value.size === 'number' &&
  'arrayBuffer' in value &&
  typeof value.arrayBuffer === 'function';
