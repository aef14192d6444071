import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { parse, validate } from 'graphql';
import { schema } from '../../schema/index.ts';

test('every GraphQL example of the documentation is valid against the schema', async () => {
  const page = await readFile('docs/front-end.md', 'utf8');
  const examples = [...page.matchAll(/^```graphql\n(.*?)^```/gms)].map(([, source = '']) => source);
  expect(examples.length).toBeGreaterThan(1);
  for (const example of examples) expect(validate(schema, parse(example))).toEqual([]);
});
