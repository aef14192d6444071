import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { partsOf } from '../../src/domain/artifacts/artifact-diff.ts';
import type { Artifacts } from '../../src/domain/artifacts/artifacts.ts';
import { leftOfEdit, traceEdit } from '../../src/domain/artifacts/edit-trace.ts';
import { takeBack, type OverlapChoice } from '../../src/domain/artifacts/take-back.ts';

const NONE = new Map<string, OverlapChoice>();
const ofText = (instructions: string | null): Artifacts => ({
  instructions,
  config: null,
  description: null,
});
const back = (before: string | null, after: string | null, now: string | null) =>
  takeBack({ before: ofText(before), after: ofText(after) }, [ofText(now)], NONE);

describe('taking a change of the instructions back', () => {
  test.each([
    ['a line that was added at the end', 'a', 'a\nT', 'a\nT\nmine', 'a\nmine'],
    ['a line that was added at the start', 'a', 'T\na', 'mine\nT\na', 'mine\na'],
    [
      'lines on both sides of what was added',
      'a\nz',
      'a\nT\nU\nz',
      'a\nmine\nT\nU\nyours\nz',
      'a\nmine\nyours\nz',
    ],
    ['a changed neighbour', 'a\nz', 'a\nT\nz', 'a\nT\nZ', 'a\nZ'],
    ['a line that was replaced', 'a\nb\nc', 'a\nB\nc', 'a\nB\nc\nmine', 'a\nb\nc\nmine'],
    ['lines that were removed, where others came', 'a\nb\nc', 'a\nc', 'a\nmine\nc', 'a\nb\nmine\nc'],
    ['lines that were removed, and put back by hand', 'a\nb\nc', 'a\nc', 'a\nb\nmine\nc', 'a\nb\nmine\nc'],
    ['a whole text, with a line of the user below', null, 'T\nU', 'T\nU\nmine', 'mine'],
    ['a whole text', null, 'T', 'T', null],
    ['a text that was removed', 'a\nb', null, 'mine', 'a\nb\nmine'],
    [
      'Japanese lines',
      '測定\n報告',
      '測定\n補足\n報告',
      '自分の行\n測定\n補足\n報告',
      '自分の行\n測定\n報告',
    ],
  ])('%s: the rest stays', (_name, before, after, now, expected) => {
    const taken = back(before, after, now);
    expect(partsOf(taken.overlaps)).toEqual([]);
    expect(taken.artifacts.instructions).toBe(expected);
  });

  test.each([
    ['a line of it that was edited since', 'a', 'a\nT', 'a\nT, edited', ['T, edited'], []],
    ['a line that was typed within it', null, 'T\nU', 'T\nmine\nU', ['T', 'mine', 'U'], []],
    ['a line that was replaced twice', 'a\nb', 'a\nB', 'a\nmine', ['mine'], ['b']],
    [
      'a line of it that was removed, and one of it that stays',
      'a\nb',
      'A\nB',
      'mine\nB',
      ['mine', 'B'],
      ['a', 'b'],
    ],
  ])('%s is named, and changed only if that is asked for', (_name, before, after, now, gone, instead) => {
    const asked = back(before, after, now);
    const [hunk, ...more] = asked.overlaps.instructions;
    const linesOf = (kind: string) =>
      hunk!.lines.filter((line) => line.kind === kind).map(({ text }) => text);
    expect([linesOf('REMOVED'), linesOf('ADDED'), more]).toEqual([gone, instead, []]);
    expect(asked.artifacts.instructions).toBe(now);
    const change = { before: ofText(before), after: ofText(after) };
    const choose = (choice: OverlapChoice) => takeBack(change, [ofText(now)], new Map([[hunk!.id, choice]]));
    expect(choose('KEEP')).toMatchObject({ artifacts: ofText(now), overlaps: { instructions: [] } });
    expect(choose('DISCARD')).toMatchObject({ artifacts: ofText(before), overlaps: { instructions: [] } });
  });

  test('of two places only the one that overlaps is asked about', () => {
    const taken = back('a\nm\nz', 'a\nT\nm\nU\nz', 'a\nT\nm\nmine\nz');
    expect(taken.artifacts.instructions).toBe('a\nm\nmine\nz');
    expect(taken.overlaps.instructions).toMatchObject([{ fromLine: 4, fromLines: 1 }]);
  });

  test('states between tell lines that came beside it from a later edit of it', () => {
    const since = ['Start\nT\nmine', 'Start\nT\nmine\nyours', 'Start\nT, edited\nmine\nyours'];
    const change = { before: ofText('Start'), after: ofText('Start\nT') };
    const steps = since.map(ofText);
    const { overlaps } = takeBack(change, steps, NONE);
    expect(overlaps.instructions).toMatchObject([{ fromLine: 2, fromLines: 1 }]);
    const all = new Map(partsOf(overlaps).map((id) => [id, 'DISCARD'] as const));
    expect(takeBack(change, steps, all).artifacts.instructions).toBe('Start\nmine\nyours');
    // Edited, and edited back: the turn's own line again.
    const again = [...steps, ofText('Start\nT\nmine\nyours')];
    expect(takeBack(change, again, NONE).artifacts.instructions).toBe('Start\nmine\nyours');
  });

  test('no line of anybody else goes unasked, whatever was written before and after', () => {
    const lines = (alphabet: string) =>
      fc.array(fc.constantFrom(...alphabet.split('')), { maxLength: 6 }).map((all) => all.join('\n') || null);
    fc.assert(
      fc.property(
        lines('abc'),
        lines('abcTU'),
        lines('abcTUmn'),
        lines('abcTUmn'),
        (before, after, between, now) => {
          const steps = [ofText(between), ofText(now)];
          const change = { before: ofText(before), after: ofText(after) };
          const { artifacts, overlaps } = takeBack(change, steps, NONE);
          const own = (text: string | null) =>
            (text ?? '').split('\n').filter((line) => 'mn'.includes(line) && line);
          // m and n are in no other text, so they are the user's; what overlaps is still there.
          expect(own(artifacts.instructions)).toEqual(own(now));
          const all = new Map(partsOf(overlaps).map((id) => [id, 'DISCARD'] as const));
          expect(partsOf(takeBack(change, steps, all).overlaps)).toEqual([]);
          // Nothing later: exactly what was before.
          expect(takeBack(change, [ofText(after)], NONE).artifacts).toEqual(ofText(before));
        },
      ),
      { numRuns: 500 },
    );
  });

  test('two long texts that share no line are one overlap, and take no long time', () => {
    const text = (name: string) => Array.from({ length: 20_000 }, (_, line) => `${name} ${line}`).join('\n');
    const began = process.cpuUsage();
    const taken = back(null, text('T'), text('mine'));
    const { user, system } = process.cpuUsage(began);
    expect(taken.overlaps.instructions).toHaveLength(1);
    expect((user + system) / 1_000).toBeLessThan(2_000);
  });
});

describe('taking settings and the description back', () => {
  const state = (config: Artifacts['config'], description: string | null): Artifacts => ({
    instructions: null,
    config,
    description,
  });
  const before = state({ llm: { temperature: 0.1 }, tools: { web: ['a'] } }, 'Before');
  const after = state({ llm: { temperature: 0.2, model: 'm' }, tools: { web: [] } }, 'After');

  test('what was set later elsewhere stays', () => {
    const now = state(
      { llm: { temperature: 0.2, model: 'm', reasoning_level: 'low' }, tools: { web: [] } },
      'After',
    );
    expect(takeBack({ before, after }, [now], NONE)).toEqual({
      artifacts: state(
        { llm: { temperature: 0.1, reasoning_level: 'low' }, tools: { web: ['a'] } },
        'Before',
      ),
      overlaps: { instructions: [], config: [], description: null },
    });
  });

  test('what was set later in the same place is named', () => {
    const now = state({ llm: { temperature: 0.9, model: 'm' }, tools: { web: ['a'] } }, 'Mine');
    const { artifacts, overlaps } = takeBack({ before, after }, [now], NONE);
    expect(artifacts).toEqual(state({ llm: { temperature: 0.9 }, tools: { web: ['a'] } }, 'Mine'));
    expect(overlaps).toMatchObject({
      config: [{ path: ['llm', 'temperature'], before: 0.9, after: 0.1 }],
      description: { before: 'Mine', after: 'Before' },
    });
    const discard = new Map(partsOf(overlaps).map((id) => [id, 'DISCARD'] as const));
    expect(takeBack({ before, after }, [now], discard).artifacts).toEqual(before);
  });

  test('a setting that became a group of settings since is one place with it', () => {
    const [one, other] = [state({ a: 1 }, null), state({ a: 2 }, null)];
    const { overlaps } = takeBack({ before: one, after: other }, [state({ a: { b: 3 } }, null)], NONE);
    expect(overlaps.config).toHaveLength(1);
  });
});

describe('what is left of an edit', () => {
  const left = (before: string | null, after: string | null, now: string | null) => {
    const trace = traceEdit('INSTRUCTIONS', ofText(before), ofText(after));
    const { left: pieces, of } = leftOfEdit('INSTRUCTIONS', trace, ofText(now));
    return `${pieces}/${of}`;
  };
  test.each([
    ['a', 'a\nT\nU', 'mine\nT\na\nU', '2/2'],
    ['a', 'a\nT\nU', 'a\nT', '1/2'],
    ['a', 'a\nT\nU', 'a', '0/2'],
    ['a\nb', 'a', 'a\nmine', '1/1'],
    ['a\nb', 'a', 'a\nb', '0/1'],
    ['T\na', 'T\na\nT', 'T\na', '0/1'],
    ['T\na', 'T\na\nT', 'a\nT\nT', '1/1'],
    ['a\n', 'a\n\n\nT\n', 'a\n', '0/1'],
  ])('%j → %j, now %j: %s', (before, after, now, expected) =>
    expect(left(before, after, now)).toBe(expected),
  );

  test('lines that only moved are followed by their neighbours', () => {
    expect(left('a\nb', 'b\na', 'b\na\nmine')).not.toMatch(/^0/);
    expect(left('a\nb', 'b\na', 'a\nb')).toMatch(/^0/);
  });

  test('a setting counts where it has the value that the edit gave it', () => {
    const state = (temperature: number): Artifacts => ({ ...ofText(null), config: { llm: { temperature } } });
    const trace = traceEdit('CONFIG', state(0.2), state(0.5));
    expect(leftOfEdit('CONFIG', trace, state(0.5))).toEqual({ left: 1, of: 1 });
    expect(leftOfEdit('CONFIG', trace, state(0.9))).toEqual({ left: 0, of: 1 });
  });
});
