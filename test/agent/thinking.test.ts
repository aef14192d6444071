/** Thinking as the loop tells it: redacted, timed, and never mixed into the answer or into what is sent. */
import { describe, expect, test } from '@jest/globals';
import type { ModelEvent, ThinkingKind } from '../../src/agent/model.ts';
import { ModelError } from '../../src/agent/model.ts';
import { ofType, runTurn, testTool } from '../support/agent-run.ts';
import { callTool, createScriptedModel, say } from '../support/scripted-model.ts';

const think = (text: string, kind: ThinkingKind = 'thought', isNew?: true): ModelEvent => ({
  type: 'thinking',
  kind,
  text,
  ...(isNew && { isNew }),
});

describe('What a model thinks', () => {
  test('is shown with the time from the request to what it does next, once for each thought', async () => {
    let now = 0;
    const passes = (ms: number) => () => {
      now += ms;
      return Promise.resolve();
    };
    const model = createScriptedModel([
      [passes(30_000), think('Look '), think('first.'), passes(10_000), callTool('look')],
      [passes(500), think('Fine.'), ...say('It is ok.')],
    ]);
    const { activities, text } = await runTurn(model, [testTool('look')], { clock: () => now });
    const thoughts = ofType(activities, 'thinking');
    const words = thoughts.map((thought) => thought.text).join('');
    expect(words).toBe('Look first.Fine.');
    expect(thoughts.flatMap(({ durationMs }) => durationMs ?? [])).toEqual([40_000, 500]);
    expect(text).toBe('It is ok.');
    expect(JSON.stringify(model.requests[1]!.input)).not.toContain('Look first.');
  });

  test('stands in paragraphs of its own where the provider sets parts apart', async () => {
    const model = createScriptedModel([
      [think('**One**', 'summary'), think('**Two**', 'summary', true), ...say('Done.')],
    ]);
    const { activities } = await runTurn(model, []);
    expect(
      ofType(activities, 'thinking')
        .map(({ text }) => text)
        .join(''),
    ).toBe('**One**\n\n**Two**');
  });

  test('keeps the kind of each part to its last letter', async () => {
    // What may be the beginning of a secret is held back.
    const model = createScriptedModel([
      [think('Its own words end in sk-proj', 'thought'), think('A summary.', 'summary'), ...say('Done.')],
    ]);
    const { activities } = await runTurn(model, []);
    const wordsOf = (kind: string) =>
      ofType(activities, 'thinking')
        .flatMap((each) => (each.kind === kind ? [each.text] : []))
        .join('');
    expect([wordsOf('THOUGHT'), wordsOf('SUMMARY')]).toEqual([
      'Its own words end in sk-proj\n\n',
      'A summary.',
    ]);
  });

  test('holds no secret, however it is cut', async () => {
    const secret = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789';
    const pieces = `The key is ${secret}, I think.`.match(/.{1,5}/gu)!.map((piece) => think(piece));
    const model = createScriptedModel([[...pieces, ...say('Done.')]]);
    const { activities } = await runTurn(model, []);
    const words = ofType(activities, 'thinking')
      .map(({ text }) => text)
      .join('');
    expect(words).toMatch(/^The key is \[redacted\],? I think\.$/);
  });

  test('is ended where the stream breaks, and stays when the step is asked again', async () => {
    const broken = new ModelError('BROKEN_STREAM', 'scripted broke off', { retryable: true });
    const model = createScriptedModel([
      [think('Hm.'), broken],
      [think('Well.'), ...say('Done.')],
    ]);
    const { activities, text } = await runTurn(model, []);
    const thoughts = ofType(activities, 'thinking');
    expect(thoughts.filter(({ durationMs }) => durationMs !== undefined)).toHaveLength(2);
    expect(thoughts.map((thought) => thought.text).join('|')).toMatch(/Hm\.\|.*Well\./);
    expect(text).toBe('Done.');
  });
});
