import { describe, expect, test } from '@jest/globals';
import { doubtsNumbers } from '../../src/domain/conversation/message-intent.ts';

describe('numbers are doubted', () => {
  test.each([
    'These numbers look wrong',
    'these numbers look wrong.',
    'Those values are off!',
    'The T1 values seem a bit off to me.',
    'Your figures are definitely incorrect',
    "That can't be right",
    'That can’t be right.',
    'This cannot be correct. Q7 was fine yesterday.',
    "it doesn't look right",
    "That's wrong",
    'that is not right',
    'T1 of Q7 looks wrong',
    "T1 of Q07 can't be right",
    'Hm. Are you sure?',
    'Are you sure about these values?',
    'Is that correct?',
    'Are these numbers really right?',
    "I don't believe this.",
    'I doubt these results',
    'Please double-check those numbers',
    'Verify these values please',
    'Thanks! But the readout fidelity of Q3 seems wrong.',
    '数値がおかしい',
    'この数値はおかしくないですか？',
    'その値は間違っていると思う',
    'データが変です',
    '結果が怪しい',
    'T1の値が違うと思います',
    'それは正しくない',
    'ありえない値だ',
    '本当ですか？',
    'その数値を検証して',
  ])('by %s', (message) => expect(doubtsNumbers(message)).toBe(true));
});

describe('numbers are not doubted', () => {
  test.each([
    'What is T1 of Q7?',
    'Which values look wrong?',
    "What's wrong with Q12?",
    'Is there anything wrong with the readout?',
    'Does T1 of Q7 look odd?',
    'Find suspicious qubits',
    'Show outliers. Which ones are off?',
    'How is the chip?',
    'Is Q7 better than Q3?',
    'The chip looks good',
    'Turn off the heatmap',
    'Compare the right half with the left',
    'That is right, thanks',
    'Q7とQ3の違いは？',
    'おかしい量子ビットはある？',
    'どの値がおかしい？',
    'T1の変化を見せて',
    '現在の値を教えて',
    '',
  ])('by %s', (message) => expect(doubtsNumbers(message)).toBe(false));
});
