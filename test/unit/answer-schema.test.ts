import { describe, expect, test } from '@jest/globals';
import { answerDocument, problemOfSchema } from '../../src/domain/conversation/answer-schema.ts';
import type { JsonObject } from '../../src/domain/visuals.ts';

const nested = (levels: number): JsonObject =>
  levels === 1 ? { type: 'string' } : { type: 'array', items: nested(levels - 1) };

/** Each definition holds the one before it twice. */
const doubling = (levels: number): JsonObject => ({
  $ref: `#/$defs/d${levels}`,
  $defs: Object.fromEntries([
    ['d0', { type: 'string' }],
    ...Array.from({ length: levels }, (_, at) => [
      `d${at + 1}`,
      { type: 'array', anyOf: [{ $ref: `#/$defs/d${at}` }, { $ref: `#/$defs/d${at}` }] },
    ]),
  ]) as JsonObject,
});

describe('a schema of answers', () => {
  test.each<[string, unknown, string]>([
    ['a list', [], 'must be a JSON schema: an object'],
    ['a word', 'object', 'must be a JSON schema: an object'],
    ['a type that is none', { type: 'float' }, '#/type: '],
    ['a type twice', { type: ['string', 'string'] }, '#/type: names a type twice'],
    ['a keyword that is none', { type: 'object', propertys: {} }, '#: propertys is not supported'],
    ['a pattern', { type: 'string', pattern: '(a+)+$' }, '#: pattern is not supported'],
    ['a negation', { not: { type: 'string' } }, '#: not is not supported'],
    ['properties without a type', { properties: {} }, '#: properties needs "type": "object"'],
    ['a minimum of a text', { type: 'string', minimum: 1 }, '#: minimum needs "type": "number" or "integer"'],
    [
      'a limit of choices',
      { type: 'integer', enum: [1, 5], minimum: 3 },
      '#: minimum cannot be combined with enum',
    ],
    ['choices of another type', { type: 'string', enum: ['a', 1] }, '#: 1 is not of type string'],
    ['two ways to choose', { enum: [1], const: 1 }, '#: const cannot be combined with enum'],
    ['an unknown format', { type: 'string', format: 'chip' }, '#/format: '],
    [
      'a required property that is not there',
      { type: 'object', properties: { a: { type: 'string' } }, required: ['b'] },
      '#: required b is not in properties',
    ],
    [
      'no schema where one belongs',
      { type: 'object', properties: { a: { type: 'array', items: 'string' } } },
      '#/properties/a/items: ',
    ],
    ['a remote reference', { $ref: 'https://example.com/a.json' }, '#: $ref must be "#/$defs/NAME"'],
    ['a reference to nothing', { $ref: '#/$defs/a', $defs: {} }, '#: $ref must be "#/$defs/NAME"'],
    [
      'a reference in a circle',
      { $ref: '#/$defs/a', $defs: { a: { type: 'array', items: { $ref: '#/$defs/a' } } } },
      '#/items: #/$defs/a refers to itself, which is not supported',
    ],
    ['too many levels', nested(11), 'is nested more than 10 schemas deep'],
    ['far too many levels', nested(2_000), 'is nested more than 10 schemas deep'],
    [
      'too many characters',
      { type: 'string', description: 'x'.repeat(20_000) },
      'must have at most 20000 characters',
    ],
    ['a bad escape', { $ref: '#/$defs/%', $defs: {} }, 'URI malformed'],
  ])('is not %s', (_what, schema, problem) => {
    expect(problemOfSchema(schema)).toContain(problem);
  });

  test('may be as deep as it says, and have properties with the names of keywords', () => {
    expect(problemOfSchema(nested(10))).toBeNull();
    const properties = { $ref: { type: 'string' }, pattern: { type: 'string' }, type: { type: 'null' } };
    expect(problemOfSchema({ type: 'object', properties, required: ['$ref', 'type'] })).toBeNull();
  });

  test('is not one whose references multiply without end', () => {
    expect(problemOfSchema(doubling(8))).toBeNull();
    expect(problemOfSchema(doubling(9))).toMatch(/^has more than 2000 schemas/u);
    const wide: JsonObject = {
      anyOf: Array.from({ length: 100 }, () => ({ $ref: '#/$defs/a' })),
      $defs: {
        a: { anyOf: Array.from({ length: 100 }, () => ({ $ref: '#/$defs/b' })) },
        b: { type: 'string' },
      },
    };
    expect(problemOfSchema(wide)).toBe('has more than 2000 schemas, references put in');
  });
});

describe('a document', () => {
  const { check, schema } = answerDocument({
    type: 'object',
    properties: {
      qubits: { type: 'array', items: { $ref: '#/$defs/qubit' }, minItems: 1 },
      worst: { anyOf: [{ $ref: '#/$defs/qubit' }, { type: 'null' }] },
    },
    required: ['qubits', 'worst'],
    additionalProperties: false,
    $defs: { qubit: { type: 'string', maxLength: 3, description: 'as Q12' } },
  });

  test('is read with its references put in', () => {
    expect(JSON.stringify(schema)).not.toContain('$ref');
    expect(schema).toHaveProperty('properties.qubits.items.maxLength', 3);
  });

  const fitting = '{"qubits":["Q1"],"worst":null}';
  test.each([
    ['plain', fitting],
    ['with space around it', `\n  ${fitting} \n`],
    ['in a fence', `\`\`\`json\n${fitting}\n\`\`\`\n`],
    ['in a fence without a name', `\`\`\`\r\n${fitting}\r\n\`\`\``],
  ])('fits %s', (_how, words) => {
    expect(check(words)).toEqual({ json: fitting });
  });

  test.each([
    ['with words around it', `Here: ${fitting}`, ['it is not JSON: ']],
    ['that broke off', fitting.slice(0, -5), ['it is not JSON: ']],
    ['of another type', '[]', ['#: ']],
    ['with too much', '{"qubits":["Q1"],"worst":null,"more":1}', ['#: ']],
    ['with too little', '{"qubits":[]}', ['#/qubits: ', '#/worst: ']],
    ['with a wrong value', '{"qubits":["Q1","Q1234"],"worst":1}', ['#/qubits/1: ', '#/worst: ']],
  ])('does not fit %s', (_how, words, starts) => {
    const checked = check(words);
    expect(checked).toEqual({ problems: starts.map((start) => expect.stringMatching(`^${start}`)) });
  });

  test('is not read beyond a hundred levels', () => {
    const anything = answerDocument({ type: 'array' });
    expect(anything.check('['.repeat(90) + ']'.repeat(90))).toHaveProperty('json');
    const deep = anything.check('['.repeat(50_000) + ']'.repeat(50_000));
    expect(deep).toEqual({ problems: [expect.stringMatching('nested more than 100 levels')] });
  });
});
