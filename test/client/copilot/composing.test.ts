/** What goes along with a message, and what can be done when there is no answer. */
import { describe, expect, test } from '@jest/globals';
import { takeImages, type FileFacts } from '../../../client/features/copilot/composer/take-images.ts';
import { remediesOf } from '../../../client/features/copilot/model/remedies.ts';

const picture = (name: string, facts: Partial<FileFacts> = {}): FileFacts => ({
  name,
  type: 'image/png',
  size: 100,
  ...facts,
});
const LIMITS = { maxImages: 2, maxImageBytes: 1_000 };

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
