import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { applyParts, diffArtifacts, partsOf } from '../../src/domain/artifacts/artifact-diff.ts';
import type { Artifacts } from '../../src/domain/artifacts/artifacts.ts';
import { changedLines, diffText } from '../../src/domain/artifacts/text-diff.ts';

const nothing: Artifacts = { instructions: null, config: null, description: null };

/** Settings without nulls and without empty groups, as configurations are. */
const setting = fc.oneof(fc.integer(), fc.constantFrom('a', 'b'), fc.array(fc.constantFrom('x', 'y')));
const group = fc.dictionary(fc.constantFrom('k', 'l', 'm.n'), setting, { minKeys: 1 });
/** A setting stays a setting and a group a group, as the schema of configurations has it. */
const artifacts: fc.Arbitrary<Artifacts> = fc.record({
  instructions: fc.option(
    fc.array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 8 }).map((l) => l.join('\n')),
  ),
  config: fc.option(fc.dictionary(fc.constantFrom('llm', 'tools'), group, { minKeys: 1 })),
  description: fc.option(fc.constantFrom('one', 'two')),
});

describe('what differs between artifacts', () => {
  test('is given in hunks of lines with their words, and with the lines around them', () => {
    const from = ['# Task', '', 'Check T1 daily.', 'Write a report.', 'End.'].join('\n');
    const to = ['# Task', '', 'Check T2 daily.', 'Write a report.', 'Be brief.', 'End.'].join('\n');
    const [first, second, ...more] = diffText(from, to);
    expect(more).toEqual([]);
    expect(first).toMatchObject({ fromLine: 3, fromLines: 1, toLine: 3, toLines: 1 });
    expect(first?.words).toContainEqual({ kind: 'REMOVED', text: 'T1' });
    expect(first?.words).toContainEqual({ kind: 'ADDED', text: 'T2' });
    expect(first?.lines[0]).toEqual({ kind: 'SAME', text: '# Task' });
    expect(second).toMatchObject({ fromLine: 5, fromLines: 0, toLine: 5, toLines: 1, words: null });
  });

  test('names settings by path, lists as a whole', () => {
    const { config } = diffArtifacts(
      { ...nothing, config: { llm: { temperature: 0.2, model: 'a' }, tools: { sandbox: ['run_python'] } } },
      {
        ...nothing,
        config: { llm: { temperature: 0.5 }, tools: { sandbox: [], notes: ['get_calibration_notes'] } },
      },
    );
    expect(config.map(({ kind, path }) => `${kind} ${path.join('.')}`)).toEqual([
      'REMOVED llm.model',
      'CHANGED llm.temperature',
      'ADDED tools.notes',
      'CHANGED tools.sandbox',
    ]);
  });

  test('is told to a model as places in the new text', () => {
    expect(changedLines('a\nb\nc', 'a\nX\nY\nc')).toBe('lines 2–3');
    expect(changedLines('a\nb\nc', 'a\nc')).toBe('removed after line 1');
    expect(changedLines('a', 'a')).toBeNull();
    expect(changedLines(null, 'a\nb')).toBe('lines 1–2');
  });

  test('accepted as a whole gives the new state, rejected as a whole the old one', () => {
    fc.assert(
      fc.property(artifacts, artifacts, (from, to) => {
        const all = new Set(partsOf(diffArtifacts(from, to)));
        // A configuration that loses its last setting is empty, not gone.
        const wanted = { ...to, config: to.config ?? (from.config ? {} : null) };
        expect(applyParts(from, to, all).instructions).toEqual(wanted.instructions);
        expect(applyParts(from, to, all).description).toEqual(wanted.description);
        expect(diffArtifacts(applyParts(from, to, all), wanted)).toEqual({
          instructions: [],
          config: [],
          description: null,
        });
        expect(applyParts(from, to, new Set())).toEqual(from);
      }),
    );
  });

  test('accepted in part leaves exactly the other parts to decide', () => {
    fc.assert(
      fc.property(artifacts, artifacts, fc.infiniteStream(fc.boolean()), (from, to, picks) => {
        const before = diffArtifacts(from, to);
        const accepted = new Set(partsOf(before).filter(() => picks.next().value));
        const after = diffArtifacts(applyParts(from, to, accepted), to);
        expect(after.config.map(({ id }) => id)).toEqual(
          before.config.map(({ id }) => id).filter((id) => !accepted.has(id)),
        );
        if (accepted.size === partsOf(before).length) expect(after.instructions).toEqual([]);
      }),
    );
  });

  test('of two long texts that share nothing is one hunk, without comparing their words', () => {
    const long = (word: string) => Array.from({ length: 5_000 }, (_, line) => `${word} ${line}`).join('\n');
    const hunks = diffText(long('old'), long('new'));
    expect(hunks).toHaveLength(1);
    expect(hunks[0]).toMatchObject({ fromLines: 5_000, toLines: 5_000, words: null });
  });
});
