import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ArtifactEdit } from '../../../client/features/builder/model/builder-view.ts';
import {
  answerPieces,
  chipStates,
  chipTone,
  isUndoable,
  revisionsOfTurn,
} from '../../../client/features/builder/model/chips.ts';
import {
  changedRange,
  isMarked,
  marksBetween,
  NO_MARKS,
  originalOf,
  withoutMarks,
} from '../../../client/features/builder/model/marks.ts';
import { isSameArtifacts, syncStep, toForm } from '../../../client/features/builder/model/sync.ts';
import type { Artifacts } from '../../../src/domain/artifacts/artifacts.ts';
import { shortHash } from '../../../src/domain/text/short-hash.ts';

const artifacts = (more: Partial<Artifacts> = {}): Artifacts => ({
  instructions: '# Drift',
  config: { llm: { temperature: 0.2 } },
  description: 'Drift',
  ...more,
});
const edit = (more: Partial<ArtifactEdit> = {}): ArtifactEdit => ({
  callId: 'a',
  tool: 'update_description',
  artifact: 'DESCRIPTION',
  outcome: 'APPLIED',
  revisionBefore: 1,
  revisionAfter: 2,
  isProposal: false,
  note: null,
  offset: 0,
  ...more,
});

describe('form and session', () => {
  const mine = artifacts({ description: 'Mine' });
  const theirs = artifacts({ description: 'Theirs' });
  const agreed = { artifacts: artifacts(), revision: 1 };
  test.each([
    ['agree where both say the same', mine, mine, agreed, 'same'],
    [
      'agree where one has nothing and the other an empty text',
      { ...mine, instructions: null },
      { ...mine, instructions: '' },
      null,
      'same',
    ],
    [
      'agree whatever the line ends',
      artifacts({ instructions: 'a\r\nb' }),
      artifacts({ instructions: 'a\nb' }),
      agreed,
      'same',
    ],
    ['the form follows where only the session moved', artifacts(), theirs, agreed, 'take'],
    ['the form is kept where only it was edited', mine, artifacts(), agreed, 'keep'],
    [
      'what was sent is kept until the session is heard of',
      mine,
      theirs,
      { artifacts: mine, revision: 3 },
      'keep',
    ],
    ['the user chooses where both moved', mine, theirs, agreed, 'conflict'],
    ['the user chooses where they never agreed', mine, theirs, null, 'conflict'],
  ] as const)('%s', (_name, form, session, base, step) => {
    expect(syncStep(form, { artifacts: session, revision: 2 }, base)).toBe(step);
  });

  test('what the session took away is taken away in the form too', () => {
    const nothing = { instructions: null, config: null, description: null };
    expect(toForm(nothing)).toEqual({ instructions: '', config: {}, description: '' });
    expect(isSameArtifacts(toForm(nothing), nothing)).toBe(true);
  });
});

describe('the marks of a form', () => {
  test('name what the builder changed, with what stood there before', () => {
    const now = artifacts({
      instructions: '# Drift of T1',
      config: { llm: { temperature: 0.4, model: 'm' } },
      description: 'Drift of T1',
    });
    const marks = marksBetween(artifacts(), now, now);
    expect(marks.instructions).toEqual({ before: '# Drift', written: '# Drift of T1' });
    expect(marks.description?.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'SAME Drift',
      'ADDED  of T1',
    ]);
    expect([...marks.settings]).toEqual([
      ['llm.model', undefined],
      ['llm.temperature', 0.2],
    ]);
  });

  test('are none where nothing changed', () => {
    expect(marksBetween(artifacts(), artifacts(), artifacts())).toEqual(NO_MARKS);
  });

  test('are none where only the user typed, whatever the builder changed elsewhere', () => {
    const written = artifacts({ description: 'Drift of T1' });
    const typed = artifacts({
      instructions: '# Drift, typed',
      config: { llm: { temperature: 0.9 } },
      description: 'Drift of T1',
    });
    const marks = marksBetween(artifacts(), written, typed);
    expect(marks).toMatchObject({ instructions: null, settings: new Map() });
    expect(isMarked(marks, 'description')).toBe(true);
  });

  test('go from a short field as soon as the user edits what the builder wrote there', () => {
    const written = artifacts({ config: { llm: { temperature: 0.4 } }, description: 'Drift of T1' });
    const typed = artifacts({ config: { llm: { temperature: 0.5 } }, description: 'Drift of T1 and T2' });
    expect(marksBetween(artifacts(), written, typed)).toEqual(NO_MARKS);
  });

  test('stay at the builder’s lines of the instructions, and never cover lines that the user typed', () => {
    const [before, written] = [
      '# Drift\n\nOne.\nTwo.\nThree.',
      '# Drift\n\nOne.\nTwo, by the builder.\nThree.',
    ];
    const typed = `Mine.\n${written}\nMine, too.`;
    const marks = marksBetween(
      artifacts({ instructions: before }),
      artifacts({ instructions: written }),
      artifacts({ instructions: typed }),
    );
    expect(marks.instructions).toEqual({ before, written });
    expect(originalOf({ before, written }, typed)).toBe(`Mine.\n${before}\nMine, too.`);
    const taken = artifacts({ instructions: typed.replace(', by the builder', ', by me') });
    const without = marksBetween(
      artifacts({ instructions: before }),
      artifacts({ instructions: written }),
      taken,
    );
    expect(without.instructions).toBeNull();
  });

  test('go one by one', () => {
    const before = { instructions: 'a', config: { llm: { temperature: 0, model: 'm' } }, description: 'd' };
    const now = { instructions: 'b', config: { llm: { temperature: 1, model: 'n' } }, description: 'e' };
    const left = withoutMarks(marksBetween(before, now, now), new Set(['llm.model', 'description']));
    const parts = (['instructions', 'description', 'llm.temperature', 'llm.model'] as const).filter((part) =>
      isMarked(left, part),
    );
    expect(parts).toEqual(['instructions', 'llm.temperature']);
  });

  test('for any texts: without edits of the user the builder’s changes are taken back whole', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 8 })
      .map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, text, (before, written, now) => {
        expect(originalOf({ before, written }, written)).toBe(before);
        expect(originalOf({ before, written: before }, now)).toBe(now);
      }),
    );
  });

  test('point at the changed range, outside of which both texts are the same', () => {
    const words = fc.string({ maxLength: 12, unit: fc.constantFrom('a', 'b', '\n') });
    fc.assert(
      fc.property(words, words, (before, after) => {
        const { from, to } = changedRange(before, after);
        expect(before.startsWith(after.slice(0, from))).toBe(true);
        expect(before.endsWith(after.slice(to))).toBe(true);
        expect(from).toBeLessThanOrEqual(to);
        expect(before.length).toBeGreaterThanOrEqual(from + after.length - to);
      }),
    );
    expect(changedRange('one two', 'one 2 two')).toEqual({ from: 4, to: 6 });
  });
});

describe('the chips of an answer', () => {
  test('stand where their calls were made, and the text between them is whole', () => {
    const offsets = fc
      .array(fc.nat(30), { maxLength: 6 })
      .map((all) => all.toSorted((one, other) => one - other));
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), offsets, (text, places) => {
        const edits = places.map((offset, index) => edit({ callId: String(index), offset }));
        const pieces = answerPieces(text, edits);
        expect(pieces.map((piece) => (piece.type === 'text' ? piece.text : '')).join('')).toBe(text);
        expect(pieces.flatMap((piece) => (piece.type === 'edits' ? piece.edits : []))).toEqual(edits);
        for (const piece of pieces) {
          if (piece.type === 'text') expect(text.startsWith(piece.text, piece.offset)).toBe(true);
        }
      }),
    );
  });

  test('are grey where nothing matched, and warn where only a part was done', () => {
    expect(chipTone(edit({ outcome: 'NO_MATCH' }), null)).toBe('nothing');
    expect(chipTone(edit({ outcome: 'APPLIED_FIRST' }), 'APPLIED')).toBe('warned');
    expect(chipTone(edit({ isProposal: true }), 'PROPOSED')).toBe('proposed');
    expect(chipTone(edit({ outcome: 'INVALID_ARGS' }), null)).toBe('failed');
    expect(chipTone(edit(), 'UNDONE')).toBe('nothing');
    expect(chipTone(edit(), 'PARTLY')).toBe('warned');
  });

  test('say what became of the edits of their turn, and whether it can be undone', () => {
    const made = edit();
    const proposed = edit({ callId: 'p', isProposal: true, revisionAfter: 1 });
    const failed = edit({ callId: 'f', outcome: 'NO_MATCH', revisionAfter: 1 });
    const all = [made, proposed, failed];
    const known = (state: 'APPLIED' | 'UNDONE' | 'ACCEPTED', callId = 'a', id = 't') => ({
      __typename: 'BuilderEdit' as const,
      callId,
      turn: { __typename: 'Turn' as const, id },
      state,
    });
    const statesOf = (...edits: ReturnType<typeof known>[]) =>
      Object.fromEntries(chipStates('t', all, { edits, proposal: null }));
    expect(statesOf(known('UNDONE'), known('ACCEPTED', 'p'))).toEqual({
      a: 'UNDONE',
      p: 'ACCEPTED',
      f: null,
    });
    // Not read yet, made before edits were followed, or of another turn.
    expect(Object.fromEntries(chipStates('t', all, null))).toEqual({ a: 'APPLIED', p: 'PROPOSED', f: null });
    expect(statesOf(known('UNDONE', 'a', 'another'))).toEqual({ a: 'APPLIED', p: 'DECIDED', f: null });
    expect(isUndoable(new Map([['a', 'ACCEPTED']]))).toBe(true);
    expect(
      isUndoable(
        new Map([
          ['a', 'UNDONE'],
          ['p', 'REJECTED'],
          ['f', null],
        ]),
      ),
    ).toBe(false);
  });

  test('tell where a turn can be undone to', () => {
    const nothing = edit({ outcome: 'NO_MATCH', revisionBefore: 3, revisionAfter: 3 });
    expect(revisionsOfTurn([nothing])).toBeNull();
    const edits = [
      edit({ revisionBefore: 3, revisionAfter: 4 }),
      edit({ revisionBefore: 4, revisionAfter: 5 }),
    ];
    expect(revisionsOfTurn([nothing, ...edits, nothing])).toEqual({ before: 3, after: 5 });
  });
});

test('the hash of parts is FNV-1a of 64 bits', () => {
  expect(['', 'a', 'foobar'].map(shortHash)).toEqual([
    'cbf29ce484222325',
    'af63dc4c8601ec8c',
    '85944171f73967e8',
  ]);
});
