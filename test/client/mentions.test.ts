/** Names in comments: what is being typed, what completes it, and whom a text names. */
import { expect, test } from '@jest/globals';
import { completed, mentionAt, mentionedIn } from '../../client/features/sharing/mentions.ts';

test.each([
  ['@', 1, ''],
  ['Is this right, @ed', 18, 'ed'],
  ['（@中', 3, '中'],
  ['mail a@b', 8, null],
  ['@edda ', 6, null],
  ['@edda and more', 3, 'ed'],
  ['no name', 7, null],
])('of %j with the caret at %d a name is being typed: %j', (text, caret, name) => {
  expect(mentionAt(text, caret)).toBe(name);
});

test('a name is completed where the caret is, and the rest stays', () => {
  expect(completed('Ask @ed about it', 7, 'Edda Meyer')).toEqual({
    text: 'Ask @Edda Meyer about it',
    caret: 16,
  });
});

test('a text names members by whole names, the longer of two', () => {
  const members = [
    { userId: '1', name: 'Ed' },
    { userId: '2', name: 'Ed Miller' },
    { userId: '3', name: '中村' },
    { userId: '4', name: 'Ann' },
  ];
  expect(mentionedIn('@Ed Miller, look; @中村 too. @Annette is nobody, @ nor is that.', members)).toEqual([
    '2',
    '3',
  ]);
  expect(mentionedIn('@Ed: yes. @Ed: no.', members)).toEqual(['1']);
});
