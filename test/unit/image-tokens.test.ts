import { expect, test } from '@jest/globals';
import { inTable } from '../../src/agent/models/capabilities.ts';
import { imageTokens } from '../../src/agent/models/shared/image-tokens.ts';
import { shippedModelTable } from '../support/known-models.ts';

/** The examples of the makers' own pages, and the bounds that their rules set. */
test.each([
  ['gpt-4.1', 1024, 1024, 765],
  ['gpt-4.1', 2048, 4096, 1105],
  ['gpt-4.1', 512, 512, 255],
  ['llava:13b', 1024, 1024, 765],
  ['gpt-4o-mini', 512, 512, 8500],
  ['gpt-4.1-mini', 1024, 1024, Math.ceil(1024 * 1.62)],
  ['gpt-4.1-mini', 1800, 2400, Math.ceil(1452 * 1.62)],
  ['o4-mini', 8000, 8000, Math.ceil(1521 * 1.72)],
  ['claude-haiku-4-5-20251001', 200, 200, 54],
  ['claude-haiku-4-5-20251001', 1000, 1000, 1334],
  ['claude-haiku-4-5-20251001', 8000, 8000, 1600],
  ['gemini-2.5-flash', 300, 384, 258],
  ['gemini-2.5-flash', 1000, 700, 516],
])('A picture for %s of %d by %d pixels is %d tokens', (model, width, height, tokens) => {
  const rule = inTable(shippedModelTable, model)?.facts.pictures ?? null;
  expect(imageTokens(rule, { width, height })).toBe(tokens);
});
