import { describe, expect, test } from '@jest/globals';
import { asksForLive } from '../../src/domain/conversation/message-intent.ts';

describe('live values are asked for', () => {
  test.each([
    'What is T1 of Q7 right now?',
    'What is T1 of Q7 now?',
    'And what is it now',
    'Which qubit has the best T1, now?',
    'Give me live values of Q3',
    'Show the LIVE readout fidelity',
    'real-time T1 please',
    'T1 in real time',
    'T2* of Q5 at the moment?',
    'Q7のT1は今いくつ？',
    'Q7の今のT1は？',
    '現在のT1を教えて',
    'リアルタイムの値',
    'ライブのT1',
    'T1 of Q7 ｎｏｗ',
  ])('by %s', (question) => expect(asksForLive(question)).toBe(true));
});

describe('live values are not asked for', () => {
  test.each([
    'What is T1 of Q7?',
    'Now show me a T1 heatmap',
    'OK, now compare Q3 and Q5.',
    'And now the same for Q5',
    'Thanks. Now rank them.',
    'How did T1 develop until now?',
    'From now on answer in Japanese',
    'Now that Q7 is fixed, how is Q8?',
    'Do you know T1 of Q7?',
    'Not live: what is stored of Q7?',
    "I don't want live values",
    'Which lab do you live in?',
    'How does T1 deliver?',
    'ライブではなく保存された値',
    '今日のT1',
    '今週の測定',
    '',
  ])('by %s', (question) => expect(asksForLive(question)).toBe(false));
});
