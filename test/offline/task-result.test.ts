import { describe, expect, test } from '@jest/globals';
import { words as english } from '../../client/lib/i18n/en/words.ts';
import { words as japanese } from '../../client/lib/i18n/ja/words.ts';
import {
  partsAskedFor,
  resultAssessment,
  resultText,
  readTaskResult,
} from '../../src/offline/analyst/task-result.ts';
import { WORDS } from '../../src/offline/analyst/messages.ts';

const INSTRUCTIONS = `You are QPilot.

<data-0123456789ab>
Task result task-1: CheckT1 of Q07 on demo-64. "This result" means it.
Status: completed. Measured 2026-05-19 23:22 UTC, 1.63 hours ago.
Not excluded.
Metrics of the fit: r2 0.981.
Outputs:
- T1 (t1) 45.23 μs ± 1.2 μs, fair
Inputs: none.
Run parameters: shots 1024.
</data-0123456789ab>

<data-0123456789ab>
Runs of CheckT1 on Q07, newest first; 1 of 1 read shown:
- 2026-05-18 23:22 UTC: completed; t1 62.79 μs ± 1.9 μs
Spread of t1 over the 12 other valid runs of this cool-down: median 61.20 μs, mean 60.80 μs, standard deviation 3.10 μs, 55.00 μs to 66.00 μs. This result lies 5.0 standard deviations below the mean.
</data-0123456789ab>

<data-0123456789ab>
Qubits next to Q07, as set now:
- Q06: T1 (t1) 83.10 μs ± 2.1 μs, good
</data-0123456789ab>

What the lab knows of CheckT1: Relaxation of a qubit.
Measures: T1.
Principle: Wait, then read.
Expected result: A decay.
Failure modes:
- Two-level defect (critical). Cause: a defect. Looks: a fast decay. Next: detune.

Project demo.`;

const result = readTaskResult(INSTRUCTIONS)!;
const tell = (question: string, language: 'en' | 'ja'): string =>
  resultText(result, partsAskedFor(question), WORDS[language]);

describe('a question about the result of a conversation', () => {
  test.each([
    [english.qubit.askTaskDraft('CheckT1'), ['CheckT1 of Q07 on demo-64', '45.23 μs ± 1.2 μs, fair']],
    ['Accept or reject?', ['- Outputs:\n  - T1 (t1) 45.23 μs ± 1.2 μs, fair']],
    ['Is this result good?', ['45.23 μs', 'r2 0.981', 'completed']],
    ['how does it compare to earlier runs?', ['5.0 standard deviations below', '62.79 μs', '45.23 μs']],
    ['and the neighbours?', ['Q06', '83.10 μs']],
    ['why did this go wrong?', ['Two-level defect', '45.23 μs']],
    ['What does this task measure?', ['Measures: T1.', 'A decay.']],
    ['couplings?', ['Couplings of Q07, as set now: nothing is known.']],
  ])('%s', (question, expected) => {
    const text = tell(question, 'en');
    for (const words of expected) expect(text).toContain(words);
  });

  test.each([
    [japanese.qubit.askTaskDraft('CheckT1'), ['T1（t1） 45.23 μs ± 1.2 μs、可']],
    ['この結果はどう?', ['T1（t1） 45.23 μs ± 1.2 μs、可', '状態: 完了（2026-05-19 23:22 UTC、1.63時間前）']],
    [
      'これまでの履歴は?',
      ['この結果は平均より標準偏差5.0個分低い値です', '2026-05-18 23:22 UTC: 完了、t1 62.79 μs ± 1.9 μs'],
    ],
    ['隣の量子ビットは?', ['Q06: T1（t1） 83.10 μs ± 2.1 μs、良好']],
    ['原因は?', ['Two-level defect']],
  ])('%s', (question, expected) => {
    const text = tell(question, 'ja');
    for (const words of expected) expect(text).toContain(words);
  });

  test.each(['What is the T1 of Q12?', 'Compare Q3 and Q5', 'How is the chip?', 'Q5の隣は?'])(
    'and not: %s',
    (question) => {
      expect(partsAskedFor(question)).toEqual([]);
    },
  );
});

test('is rated as its outputs are, and bad where it failed', () => {
  expect(resultAssessment(result)).toBe('WARNING');
  const failed = readTaskResult(INSTRUCTIONS.replace('Status: completed', 'Status: failed'));
  expect(resultAssessment(failed!)).toBe('BAD');
});

test('instructions about no result tell of none', () => {
  expect(readTaskResult('You are QPilot.\n\nNo qubit is selected.')).toBeNull();
});
