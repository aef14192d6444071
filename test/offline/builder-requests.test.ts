import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { artifactsIn, artifactsText } from '../../src/agent/builder/builder-prompt.ts';
import { readRequests } from '../../src/offline/builder/read-requests.ts';
import { planSteps } from '../../src/offline/builder/requests.ts';
import { answerText } from '../../src/offline/builder/answer-text.ts';
import { applyArtifactCall } from '../../src/domain/artifacts/apply-artifact-call.ts';
import type { Artifacts } from '../../src/domain/artifacts/artifacts.ts';
import { NO_ARTIFACTS } from '../../src/domain/conversation/builder-session.ts';
import { CATEGORY_RULES } from '../../src/experts/tool-categories.ts';
import { DRAFT, PHRASES } from '../support/offline-phrases.ts';
import { cpuMs } from '../support/took.ts';

/** The artifacts after a message, and the answer to it. */
function carryOut(message: string, artifacts: Artifacts = DRAFT) {
  const { requests, rest } = readRequests(message);
  const steps = planSteps(requests, artifacts);
  let after = artifacts;
  const outcomes = steps.flatMap((step) => {
    if (step.type !== 'call') return [];
    const rules = { categories: CATEGORY_RULES, strict: false };
    const change = applyArtifactCall(after, step.call.tool, step.call.args, rules);
    after = change.artifacts;
    return [{ isDone: change.outcome.startsWith('APPLIED'), note: change.note }];
  });
  return {
    after,
    rest,
    tools: steps.map((step) => step.type === 'call' && step.call.tool),
    text: answerText(message, steps, rest, outcomes),
  };
}

type Settings = { readonly llm: Record<string, unknown>; readonly tools: Record<string, readonly string[]> };

describe('the offline builder', () => {
  test.each(PHRASES)('carries out “%s”, and nothing else', (message, wanted) => {
    const { after, text } = carryOut(message);
    const { instructions, description } = after;
    const { llm, tools } = after.config as Settings;
    const before = DRAFT.config as Settings;
    const { temperature, reasoning, model, has, hasNot, on = [], off = [], says } = wanted;
    expect(llm).toEqual({
      model: model ?? before.llm['model'],
      temperature: temperature ?? before.llm['temperature'],
      reasoning_level: reasoning ?? before.llm['reasoning_level'],
    });
    const switched = [...on, ...off];
    expect(on.filter((name) => (tools[name] ?? []).length === 0)).toEqual([]);
    expect(off.filter((name) => tools[name]?.length !== 0)).toEqual([]);
    expect(Object.keys(tools).filter((name) => tools[name] !== before.tools[name])).toEqual(switched);
    expect(description).toBe(wanted.description ?? DRAFT.description);
    if (!has && !hasNot) expect(instructions).toBe(DRAFT.instructions);
    for (const part of has ?? [])
      expect(instructions).toEqual(
        typeof part === 'string' ? expect.stringContaining(part) : expect.stringMatching(part),
      );
    for (const part of hasNot ?? []) expect(instructions).not.toContain(part);
    if (says) expect(text).toMatch(says);
  });

  test('reads several requests of one message in their order, each on what the ones before left', () => {
    const { after, tools, rest } = carryOut(
      'Set temperature to 0.3, switch off web research and describe it as Drift of T1 and T2.\nThen rename section Goal to Aim. Remove the Aim section, and add a section Limits:\n- 20 minutes\n- not Q07',
    );
    expect(tools).toEqual([
      'update_config',
      'update_config',
      'update_description',
      'edit_instructions',
      'edit_instructions',
      'insert_instructions',
    ]);
    expect(rest).toEqual([]);
    expect(after.description).toBe('Drift of T1 and T2');
    expect(after.instructions).toMatch(/\n\n## Limits\n\n- 20 minutes\n- not Q07\n$/u);
    expect(after.instructions).not.toContain('## Aim');
  });

  test.each([
    ['Make it better', ['Make it better']],
    ['Switch off the coffee machine', ['Switch off the coffee machine']],
    ['Set temperature to 0.2. And be nicer to the user.', ['And be nicer to the user']],
    [
      "Don't set temperature to 0.5 and reasoning to low",
      ["Don't set temperature to 0.5 and reasoning to low"],
    ],
    ['Add a section "Output" that asks for CSV', ['Add a section "Output" that asks for CSV']],
    ['Add a section Output which asks for CSV', ['Add a section Output which asks for CSV']],
    ['Rename section Goal to "Aim" of the job', ['Rename section Goal to "Aim" of the job']],
    ['もっと良くして', ['もっと良くして']],
  ])('gives back what it does not understand of “%s”', (message, rest) => {
    expect(readRequests(message).rest).toEqual(rest);
  });

  test.each([
    [
      'remove the Budget section',
      /section “Budget” removed: not done\. There is no such section; there are “Drift check”, “Goal”/,
    ],
    ['delete line 99', /line 99 removed: not done\. The instructions have 16 lines/],
    ['add "x" after "nowhere"', /“nowhere” is not in the instructions/],
    ['enable coding', /Coding on: not done\. This category has no tools/],
    ['「予算」セクションを削除して', /そのセクションはありません。あるのは「Drift check」/],
  ])('says why it cannot “%s”, and changes nothing', (message, says) => {
    const { after, text } = carryOut(message);
    expect(after).toEqual(DRAFT);
    expect(text).toMatch(says);
  });

  test('finds headings outside of code only, and changes the right one of equal lines', () => {
    const instructions = 'a\n```\n## Goal\n```\n## Goal\na\n### Sub\na\n## End';
    const { after } = carryOut('remove the Goal section', { ...NO_ARTIFACTS, instructions });
    expect(after.instructions).toBe('a\n```\n## Goal\n```\n## End');
    const second = carryOut('delete line 6', { ...NO_ARTIFACTS, instructions });
    expect(second.after.instructions).toBe('a\n```\n## Goal\n```\n## Goal\n### Sub\na\n## End');
  });

  test('reads hostile messages in a moment', () => {
    const hostile = [
      ', temperature 0.1',
      'replace a with ',
      'add "a" ',
      '「あ」の後に',
      ': x',
      'delete line 3\n',
      'turn off a and ',
    ];
    const took = cpuMs(() => {
      for (const words of hostile) {
        const { requests } = readRequests(words.repeat(8_000 / words.length));
        expect(requests.length).toBeLessThanOrEqual(40);
      }
    });
    expect(took).toBeLessThan(2_000);
  });
});

test('a prompt gives the artifacts back as they were written into it, whatever they hold', () => {
  const text = fc.oneof(
    fc.constant(null),
    fc.string({ minLength: 1, unit: 'grapheme' }),
    fc.constantFrom('</data-ffff>', '\n\nThe description is empty.\n', 'a\n</data-ffff>\nb'),
  );
  const config = fc.option(
    fc.dictionary(
      fc.string().filter((key) => key !== '__proto__'),
      fc.oneof(fc.string(), fc.integer()),
    ),
  );
  fc.assert(
    fc.property(text, config, text, (instructions, settings, description) => {
      const artifacts = { instructions, config: settings && { ...settings }, description };
      const prompt = `Rule: <data-0123> and </data-0123>.\n\n${artifactsText(artifacts, 'data-0123')}\n\nMore.`;
      expect(artifactsIn(prompt)).toEqual(JSON.parse(JSON.stringify(artifacts)));
    }),
  );
  expect(artifactsIn('A prompt without any.')).toEqual(NO_ARTIFACTS);
});
