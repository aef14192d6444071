import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { createToolRegistry } from '../../src/agent/tool-registry.ts';
import { strictSchema } from '../../src/agent/tool-schema.ts';
import { testTool } from '../support/agent-run.ts';

const schemaOf = (args: z.ZodObject) => strictSchema({ name: 'tool', args });

describe('S1: a strict schema', () => {
  test('requires every property and allows no other, at every depth', () => {
    const schema = schemaOf(
      z.object({
        title: z.string().nullable().describe('Shown above.'),
        last: z.int().min(1).max(200),
        kind: z.enum(['bar', 'line']),
        series: z
          .array(z.strictObject({ name: z.string(), field: z.string().nullable() }))
          .min(1)
          .max(10),
      }),
    );
    expect(schema).toEqual({
      type: 'object',
      properties: {
        title: { type: ['string', 'null'], description: 'Shown above.' },
        last: { type: 'integer', minimum: 1, maximum: 200 },
        kind: { type: 'string', enum: ['bar', 'line'] },
        series: {
          type: 'array',
          minItems: 1,
          maxItems: 10,
          items: {
            type: 'object',
            properties: { name: { type: 'string' }, field: { type: ['string', 'null'] } },
            required: ['name', 'field'],
            additionalProperties: false,
          },
        },
      },
      required: ['title', 'last', 'kind', 'series'],
      additionalProperties: false,
    });
  });

  test('keeps properties that are named like keywords', () => {
    expect(schemaOf(z.object({ default: z.string(), maximum: z.number() }))).toMatchObject({
      properties: { default: { type: 'string' }, maximum: { type: 'number' } },
    });
  });

  test.each([
    ['an optional property', z.object({ a: z.string().optional() }), /a must be required; use nullable/],
    [
      'one inside a list',
      z.object({ l: z.array(z.strictObject({ b: z.int().optional() })) }),
      /b must be required/,
    ],
    ['an object that takes more', z.object({ l: z.array(z.object({ b: z.int() })) }), /use z\.strictObject/],
    ['a record', z.object({ map: z.record(z.string(), z.string()) }), /a record cannot be an argument/],
  ])('does not exist for %s: the mistake is named at start', (_name, args, says) => {
    expect(() => schemaOf(args)).toThrow(says);
  });

  test('is part of a registry, which refuses two tools of one name', () => {
    const registry = createToolRegistry([testTool('look'), testTool('list')], () => []);
    expect(registry.schemas.map(({ name }) => name)).toEqual(['look', 'list']);
    expect(registry.get('loo')).toBeNull();
    expect(() => createToolRegistry([testTool('look'), testTool('look')], () => [])).toThrow(
      'two tools are named look',
    );
  });

  test('of a tool that depends on the sandbox names its packages', () => {
    const tool = {
      ...testTool('python'),
      description: ({ packages }: { packages: readonly string[] }) => `Python with ${packages.join(', ')}`,
    };
    let packages = ['math'];
    const registry = createToolRegistry([tool], () => packages);
    expect(registry.schemas[0]!.description).toBe('Python with math');
    packages = ['math', 'numpy'];
    expect(registry.schemas[0]!.description).toBe('Python with math, numpy');
  });
});
