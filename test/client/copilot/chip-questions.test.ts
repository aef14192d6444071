import { describe, expect, test } from '@jest/globals';
import { chipQuestions, questionsOfAll } from '../../../client/features/copilot/chip-questions.ts';
import { finder } from '../../../client/features/chips/mutes/find-mute.ts';
import { words } from '../../../client/lib/i18n/en/words.ts';

describe('questions to start with', () => {
  const chip = (parts: readonly (readonly [label: string, qid: string])[], isStale = false) =>
    ({
      summary: {
        freshness: { isStale },
        health: { partProblems: parts.map(([label, qid]) => ({ label, qid })) },
      },
    }) as never;
  const questions = (...given: Parameters<typeof chip>) =>
    chipQuestions(chip(...given), words.copilot.starters);

  test('are about the first two qubits past their limits, couplings if one is, and age if something is too old', () => {
    const parts = [
      ['Q45', '45'],
      ['Q45', '45'],
      ['Q27', '27'],
      ['Q04-Q01', '4-1'],
      ['Q25', '25'],
    ] as const;
    expect(questions(parts, true)).toEqual([
      'Is there anything unusual about Q45?',
      'Is there anything unusual about Q27?',
      'Which couplings should I avoid?',
      'How old are the values of the chip?',
    ]);
    expect(questions([])).toEqual([]);
  });

  test('with several chips and none chosen, name those that are not well', () => {
    const state = (chipId: string, label: string) =>
      ({ chipId, summary: { freshness: null, health: { label, partProblems: [] } } }) as never;
    const chips = [state('demo-64', 'GOOD'), state('torino', 'POOR'), state('fez', 'FAIR')];
    expect(questionsOfAll(chips, words.copilot.starters)).toEqual([
      'How healthy is torino?',
      'How healthy is fez?',
    ]);
    expect(questionsOfAll([], words.copilot.starters)).toEqual([]);
  });

  test('with one chip alone, are those about it though none is chosen', () => {
    const alone = chip([['Q45', '45']]);
    expect(questionsOfAll([alone], words.copilot.starters)).toEqual(['Is there anything unusual about Q45?']);
  });
});

test('a value is muted by itself or with all of its part', () => {
  const mute = (partId: string, parameter: string | null) => ({ partId, parameter }) as never;
  const muteOf = finder([mute('27', 't1'), mute('4-1', null)]);
  expect(muteOf({ partId: '27', parameter: 't1' })).toBeDefined();
  expect(muteOf({ partId: '27', parameter: 't2_echo' })).toBeUndefined();
  expect(muteOf({ partId: '4-1', parameter: 'zx90_gate_fidelity' })).toBeDefined();
});
