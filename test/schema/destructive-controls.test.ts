/** `docs/reference/destructive-controls.md` says of every mutation and control what it takes away. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { buildSchema } from 'graphql';

const PAGE = readFileSync('docs/reference/destructive-controls.md', 'utf8');
const rows = PAGE.split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| -'))
  .map((line) =>
    line
      .split('|')
      .map((cell) => cell.trim())
      .slice(1, -1),
  );
const controls = rows
  .filter((cells) => cells.length === 6 && cells[0] !== 'control')
  .map(([control, goes, how, back, mutation, code]) => ({ control, goes, how, back, mutation, code }));
const others = rows.filter((cells) => cells.length === 2 && cells[0] !== 'mutation');
const named = (cell = '') => [...cell.matchAll(/`(\w+)`/gu)].map(([, name]) => name!);
const fileOf = (cell = '') => readFileSync(cell.replaceAll('`', ''), 'utf8');

test('every mutation is in a table, once among the others or behind its controls', () => {
  const schema = buildSchema(readFileSync('schema/schema.graphql', 'utf8'));
  const all = Object.keys(schema.getMutationType()!.getFields()).toSorted();
  const behind = new Set(controls.flatMap(({ mutation }) => named(mutation)));
  const rest = others.flatMap(([mutation]) => named(mutation));
  expect(rest.filter((name) => behind.has(name))).toEqual([]);
  expect([...behind, ...rest].toSorted()).toEqual(all);
});

test('what deletes, removes or purges is never called harmless', () => {
  const harmless = others.filter(([, replaces]) => replaces === 'nothing').flatMap(([cell]) => named(cell));
  expect(harmless.filter((name) => /^(?:delete|remove|purge|set|save|update|revert)/u.test(name))).toEqual(
    [],
  );
});

/** What a file has that asks, or offers to undo. */
const MEANS = {
  asks: /\bconfirm\(|useConfirm\(|<Modal\b/u,
  undo: /\bofferUndo\(|\beditUndoably\(/u,
  refuses: /baseRevision|version/u,
  keeps: /(?:)/u,
} as const;

test.each(controls)('$control: $how', ({ goes, how, back, code }) => {
  expect(Object.keys(MEANS)).toContain(how);
  expect(fileOf(code)).toMatch(MEANS[how as keyof typeof MEANS]);
  expect(goes).not.toBe('');
  expect(back).not.toBe('');
});

test('a control of the client that deletes asks in the file that the table names', () => {
  const listed = new Set(
    controls.filter(({ how }) => how === 'asks').flatMap(({ mutation }) => named(mutation)),
  );
  const deleting = Object.keys(
    buildSchema(readFileSync('schema/schema.graphql', 'utf8')).getMutationType()!.getFields(),
  ).filter((name) => /^(?:delete|remove)/u.test(name));
  expect(deleting.filter((name) => !listed.has(name))).toEqual([]);
});
