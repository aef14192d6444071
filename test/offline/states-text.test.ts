import { describe, expect, test } from '@jest/globals';
import { readQuestion } from '../../src/domain/questions/read-question.ts';
import { WORDS } from '../../src/offline/analyst/messages.ts';
import { statesText } from '../../src/offline/analyst/states-text.ts';

const HEAD = 'torino: 133 qubits, 300 couplings, health poor (0.14 of 3).';
const [ask] = readQuestion('Which gates are disabled?', { now: new Date('2026-01-01T00:00:00Z') }).asks;

const part = (qid: string, more: object = {}) => ({
  qid,
  parameter: 'cz_gate_fidelity',
  title: 'CZ Gate Fidelity',
  state: 'DISABLED',
  state_reason: 'its newest result marks it as disabled',
  ...more,
});

const text = (line: string, parts: readonly object[]) =>
  statesText(ask!, [HEAD, line], { num_qubits: 133, not_enabled: parts }, WORDS.en);

describe('disabled parts', () => {
  test('are all named where the summary only counts some of them', () => {
    const line =
      'Disabled: CZ Gate Fidelity on 5 of 300 couplings (Q000-Q001, Q001-Q002, Q002-Q003, Q003-Q004 and 1 more).';
    const parts = ['0-1', '1-2', '2-3', '3-4', '4-5'].map((qid) => part(qid));
    const others = [
      part('9', { state: 'DOUBTFUL', state_reason: 'older than 48 hours' }),
      part('8', { state: 'MISSING', state_reason: null }),
    ];
    expect(text(line, [...parts, ...others])).toBe(
      `${HEAD}\n\n- ${line}\n- CZ Gate Fidelity: Q000-Q001, Q001-Q002, Q002-Q003, Q003-Q004, Q004-Q005.`,
    );
  });

  test('are not named again where the summary names all', () => {
    const line = 'Disabled: CZ Gate Fidelity on 1 of 300 couplings (Q000-Q001).';
    expect(text(line, [part('0-1')])).toBe(`${HEAD}\n\n- ${line}`);
  });

  test('of more than a page are counted', () => {
    const line =
      'Disabled: CZ Gate Fidelity on 200 of 300 couplings (Q000-Q001, Q000-Q002, Q000-Q003, Q000-Q004 and 196 more).';
    const parts = Array.from({ length: 200 }, (_, index) => part(`0-${index + 1}`));
    expect(text(line, parts)).toBe(`${HEAD}\n\n- ${line}`);
  });
});
