import { DateTimeResolver, JSONResolver } from 'graphql-scalars';
import { builder } from './builder.ts';

builder.scalarType('DateTime', {
  description: 'A moment as ISO 8601 text with its offset, for example `2026-03-01T12:00:00.000Z`.',
  serialize: (value) => DateTimeResolver.serialize(value),
  parseValue: (value) => DateTimeResolver.parseValue(value),
});

builder.scalarType('JSON', {
  description:
    'Any JSON value. Used only where the shape is that of a library (charts), of a tool, or of a stored document.',
  serialize: (value): unknown => JSONResolver.serialize(value),
  parseValue: (value): unknown => JSONResolver.parseValue(value),
});
