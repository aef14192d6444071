/** What goes along with a message, and what can be done when there is no answer. */
import { describe, expect, test } from '@jest/globals';
import { EMPTY_SESSION, type SessionView, type TurnView } from '@qpilot/client/view';
import { takeImages, type FileFacts } from '../../../client/features/copilot/composer/take-images.ts';
import { isOnItsWayIn, isShownAsTurn, type Pending } from '../../../client/features/copilot/model/pending.ts';
import { remediesOf } from '../../../client/features/copilot/model/turn-rules.ts';

const picture = (name: string, facts: Partial<FileFacts> = {}): FileFacts => ({
  name,
  type: 'image/png',
  size: 100,
  ...facts,
});
const LIMITS = { maxImages: 2, maxImageBytes: 1_000 };

describe('a message on its way', () => {
  const viewOf = (...questions: readonly string[]): SessionView => {
    const turns = questions.map((words, at) => ({ id: `turn ${at}`, question: { text: words } }) as TurnView);
    return {
      ...EMPTY_SESSION,
      branch: turns.map(({ id }) => id),
      turns: Object.fromEntries(turns.map((turn) => [turn.id, turn])),
    };
  };
  const begins: Pending = { content: 'again', from: null, after: null, sent: null };
  const follows: Pending = { ...begins, from: 'a', after: 'turn 0' };

  test('is in the conversation that it was sent in, and in the one that it began', () => {
    const began = { ...begins, sent: { sessionId: 'a', turnId: 'turn 0' } };
    expect([isOnItsWayIn(begins, null), isOnItsWayIn(begins, 'a')]).toEqual([true, false]);
    expect([isOnItsWayIn(began, null), isOnItsWayIn(began, 'a')]).toEqual([true, true]);
    expect([isOnItsWayIn(began, 'b'), isOnItsWayIn(follows, null)]).toEqual([false, false]);
  });

  test.each([
    ['not before its conversation is', begins, null, false],
    ['not for the same words that were asked before', follows, viewOf('again'), false],
    ['before the server has answered, by its words', follows, viewOf('again', 'again'), true],
    ['not for what another tab asked', follows, viewOf('again', 'something else'), false],
    ['by its id', { ...follows, sent: { sessionId: 'a', turnId: 'turn 1' } }, viewOf('x', 'y', 'z'), true],
    [
      'not before its turn came',
      { ...follows, sent: { sessionId: 'a', turnId: 'turn 1' } },
      viewOf('x'),
      false,
    ],
  ] as const)('is shown as a turn %s', (_when, pending, view, isShown) => {
    expect(isShownAsTurn(pending, view)).toBe(isShown);
  });
});

describe('the pictures of a message', () => {
  test('are those that fit, and each other file is named with the reason', () => {
    const files = [
      picture('notes.txt', { type: 'text/plain' }),
      picture('drawing.svg', { type: 'image/svg+xml' }),
      picture('huge.png', { size: 1_001 }),
      picture('largest.webp', { type: 'image/webp', size: 1_000 }),
      picture('third.png'),
    ];
    const first = [picture('first.png')];
    const { images, refused } = takeImages(first, files, LIMITS);
    expect(images.map(({ name }) => name)).toEqual(['first.png', 'largest.webp']);
    expect(refused).toEqual([
      { name: 'notes.txt', reason: 'NO_PICTURE' },
      { name: 'drawing.svg', reason: 'NO_PICTURE' },
      { name: 'huge.png', reason: 'TOO_LARGE' },
      { name: 'third.png', reason: 'TOO_MANY' },
    ]);
    expect(first).toHaveLength(1);
  });

  test('are none for a model that does not look at them', () => {
    const { images, refused } = takeImages([], [picture('a.png')], { ...LIMITS, maxImages: 0 });
    expect([images, refused]).toEqual([[], [{ name: 'a.png', reason: 'NOT_FOR_MODEL' }]]);
  });
});

describe('what helps after a turn without an answer', () => {
  const error = (code: string, retryable: boolean) =>
    ({ __typename: 'TurnError', code, retryable, message: 'no' }) as const;
  test.each([
    ['a model that does not answer', 'FAILED', error('MODEL_UNAVAILABLE', true), ['retry']],
    ['a key that was refused', 'FAILED', error('MODEL_AUTH', false), ['settings']],
    ['a budget that is used up', 'FAILED', error('BUDGET_EXCEEDED', false), ['settings']],
    ['a filtered answer', 'FAILED', error('CONTENT_FILTERED', true), ['edit', 'retry']],
    ['too much to read', 'FAILED', error('CONTEXT_TOO_LARGE', false), ['edit']],
    ['an unknown error that stays', 'FAILED', error('NEW_KIND', false), ['edit']],
    ['a server that stopped', 'INTERRUPTED', error('INTERRUPTED', true), ['retry']],
    ['no reason at all', 'FAILED', null, ['retry']],
  ] as const)('%s', (_what, status, cause, remedies) => {
    expect(remediesOf({ status, error: cause })).toEqual(remedies);
  });
});
