import { describe, expect, test } from '@jest/globals';
import { buildSchema } from 'graphql';
import { undescribed } from '../../schema/descriptions.ts';
import { schema } from '../../schema/index.ts';

describe('descriptions', () => {
  test('stand on every type, field, argument and enum value of the schema', () => {
    expect(undescribed(schema)).toEqual([]);
  });

  test('are missed wherever there is none', () => {
    const bare = buildSchema(`
      "Said." type Query { "Said." said(
        "Said." a: Int, b: In): Int unsaid: Word }
      "Said." input In { field: Int }
      "Said." enum Word { VALUE }
      scalar Bare
    `);
    expect(undescribed(bare).toSorted()).toEqual([
      'Bare',
      'In.field',
      'Query.said(b)',
      'Query.unsaid',
      'Word.VALUE',
    ]);
  });
});
