/** The hooks of `@qpilot/react` in a real React, strict as while developing, against the real program. */
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Asked } from '@qpilot/client';
import type { Page } from 'playwright-core';
import type { AnswerTurn } from '../../../src/agent/turn-run.ts';
import { completed, text, toolEnd, toolStart } from '../../support/activities.ts';
import { post } from '../../support/graphql-client.ts';
import { measureT1, SMALL_CHIP } from '../../support/small-chip.ts';
import { describeWithChromium } from '../chromium.ts';
import { becomes, until } from '../until.ts';
import { startFrontEnd, type FrontEnd } from './front-end.ts';

let proceed = Promise.withResolvers<void>();
const answerTurn: AnswerTurn = async ({ emit, signal }) => {
  const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  emit(toolStart('a'));
  emit(text('Before. '));
  await Promise.race([proceed.promise, aborted]);
  signal.throwIfAborted();
  emit(toolEnd('a'));
  emit(text('After.'));
  return completed;
};

const SESSIONS = '{ copilotSessions(first: 50) { nodes { id turns(first: 50) { nodes { id } } } } }';

describeWithChromium('the hooks', () => {
  let frontEnd: FrontEnd;
  let page: Page;
  beforeAll(async () => {
    frontEnd = await startFrontEnd(join(import.meta.dirname, 'hooks'), { answerTurn, documents: SMALL_CHIP });
  });
  afterAll(() => frontEnd?.close());
  beforeEach(async () => {
    proceed = Promise.withResolvers<void>();
    page = await frontEnd.open();
    await page.waitForFunction('globalThis.show !== undefined');
  });

  const show = (shown: object): Promise<unknown> => page.evaluate(`show(${JSON.stringify(shown)})`);
  const ask = (name: string, question: unknown): Promise<unknown> =>
    page.evaluate(`turns[${JSON.stringify(name)}].ask(${JSON.stringify(question)})`);
  const words = (name: string) => page.locator(`[data-answer=${name}]`).allInnerTexts();
  const openSockets = (): Promise<number> => page.evaluate('openSockets()');
  const turnCount = async (): Promise<number> => {
    const { data } = await post(frontEnd.app.url, SESSIONS);
    const sessions = data?.['copilotSessions'] as { nodes: { turns: { nodes: unknown[] } }[] } | undefined;
    return (sessions?.nodes ?? []).reduce((sum, { turns }) => sum + turns.nodes.length, 0);
  };

  test('ask once where effects run twice, and follow the answer to its end', async () => {
    const before = await turnCount();
    await show({ answers: [{ name: 'once', question: 'How is it?' }] });
    await becomes(() => words('once'), ['RUNNING | Before.']);
    proceed.resolve();
    await becomes(() => words('once'), ['COMPLETED | Before. After.']);
    expect(await page.evaluate('effects()')).toBe(2);
    expect(await turnCount()).toBe(before + 1);
    expect(frontEnd.complaints).toEqual([]);
  });

  test('show the same wherever the same turn is, and go on after it was gone for a while', async () => {
    await show({ answers: [{ name: 'kept' }, { name: 'kept' }] });
    await becomes(() => words('kept'), ['IDLE', 'IDLE']);
    await ask('kept', 'How is it?');
    await becomes(() => words('kept'), ['RUNNING | Before.', 'RUNNING | Before.']);
    expect(await openSockets()).toBe(1);
    await show({});
    await until(async () => (await openSockets()) === 0);
    proceed.resolve();
    await show({ answers: [{ name: 'kept' }] });
    await becomes(() => words('kept'), ['COMPLETED | Before. After.']);
    await until(async () => (await openSockets()) === 0);
  });

  test('take up an answer of another page by what was kept of it', async () => {
    await show({ answers: [{ name: 'first', question: 'How is it?' }] });
    await becomes(() => words('first'), ['RUNNING | Before.']);
    const resume: Asked = await page.evaluate('turns.first.asked');
    await page.reload();
    await page.waitForFunction('globalThis.show !== undefined');
    await show({ answers: [{ name: 'second', resume, question: 'not asked' }] });
    await becomes(() => words('second'), ['RUNNING | Before.']);
    proceed.resolve();
    await becomes(() => words('second'), ['COMPLETED | Before. After.']);
  });

  test('say why a question was refused, keep the answer before it, and continue its conversation', async () => {
    await show({ answers: [{ name: 'busy', question: 'How is it?' }] });
    await becomes(() => words('busy'), ['RUNNING | Before.']);
    expect(await ask('busy', 'And now?')).toBeNull();
    await becomes(() => words('busy'), ['RUNNING | SESSION_BUSY | Before.']);
    proceed.resolve();
    await becomes(() => words('busy'), ['COMPLETED | SESSION_BUSY | Before. After.']);
    const [first, second] = [
      (await page.evaluate('turns.busy.asked')) as Asked,
      (await ask('busy', 'And now?')) as Asked,
    ];
    expect(second.sessionId).toBe(first.sessionId);
    await becomes(() => words('busy'), ['COMPLETED | Before. After.']);
    const apart = (await ask('busy', { content: 'Anew', sessionId: null })) as Asked;
    expect(apart.sessionId).not.toBe(first.sessionId);
    expect(await ask('busy', '')).toBeNull();
    await becomes(() => words('busy'), ['COMPLETED | INVALID_INPUT | Before. After.']);
  });

  test('stop an answer, and keep what it said', async () => {
    await show({ answers: [{ name: 'stopped', question: 'How is it?' }] });
    await becomes(() => words('stopped'), ['RUNNING | Before.']);
    await page.evaluate('turns.stopped.stop()');
    await becomes(() => words('stopped'), ['CANCELLED | Before.']);
  });

  test('read a chart by its id, and say why there is none', async () => {
    proceed.resolve();
    await show({ answers: [{ name: 'chart', question: 'Show it' }] });
    await becomes(() => words('chart'), ['COMPLETED | Before. After.']);
    const ids: string[] = await page.evaluate(
      "turns.chart.turn.parts.filter(({ type }) => type === 'chart').map(({ chart }) => chart.id)",
    );
    const turnId: string = await page.evaluate('turns.chart.asked.turnId');
    await show({ charts: [...ids, turnId] });
    const drawn = () => page.locator('[data-chart]').allInnerTexts();
    await becomes(drawn, ['[{"z":[1,null]}]', 'NOT_FOUND']);
  });

  test('keep a chip fresh, and leave nothing open behind', async () => {
    await show({ chips: ['C1', 'nothing'] });
    const told = () => page.locator('[data-chip]').allInnerTexts();
    await becomes(told, ['live 40 HEATMAP', 'NOT_FOUND']);
    await measureT1(frontEnd.app, 60);
    await becomes(told, ['live 60 HEATMAP', 'NOT_FOUND']);
    expect(await openSockets()).toBe(1);
    await show({});
    await until(async () => (await openSockets()) === 0);
  });
});
