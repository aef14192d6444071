/** What front ends build on, against the real program: answers as views, charts, chips, and the socket that all share. */
import { createQPilot, NotFoundError, UnauthenticatedError, type Asked, type QPilot } from '@qpilot/client';
import {
  answerIn,
  cutAtNumbers,
  readChart,
  textOf,
  viewAnswer,
  watchChip,
  type Chip,
} from '@qpilot/client/view';
import { afterEach, describe, expect, test } from '@jest/globals';
import { until } from '@qpilot/test-support';
import type { AnswerTurn } from '../../src/agent/turn-run.ts';
import { completed, tell, text, toolEnd, toolStart } from '../support/activities.ts';
import { createTestApp, type TestApp, type TestAppOptions } from '../support/create-test-app.ts';
import { measureT1, SMALL_CHIP } from '../support/small-chip.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

let app: TestApp | undefined;
let network: TcpProxy | undefined;
afterEach(async () => {
  await network?.close();
  await app?.stop();
  [app, network] = [undefined, undefined];
});

const start = async (options: TestAppOptions): Promise<TestApp> => {
  app = await createTestApp(options);
  return app;
};

/** A client that counts the sockets it opens. */
function counting(url: string) {
  const sockets: WebSocket[] = [];
  class Counted extends WebSocket {
    constructor(...given: ConstructorParameters<typeof WebSocket>) {
      super(...given);
      sockets.push(this);
    }
  }
  return { qpilot: createQPilot({ url, webSocket: Counted }), sockets };
}

/** An answer that stops in its middle until it is let go. */
function inTwoParts(): { readonly answerTurn: AnswerTurn; readonly goOn: () => void } {
  const middle = Promise.withResolvers<void>();
  const answerTurn: AnswerTurn = async ({ emit, joinMessages }) => {
    emit(toolStart('a'));
    emit(text('Before. '));
    await middle.promise;
    await joinMessages?.();
    emit(toolEnd('a'));
    emit(text('After.'));
    return completed;
  };
  return { answerTurn, goOn: middle.resolve };
}

/** Views an answer to its end, or until its signal fires; `last()` is what is known so far. */
function look(qpilot: QPilot, asked: Asked, options: Parameters<typeof viewAnswer>[2] = {}) {
  let last = options.view;
  const read = async (): Promise<void> => {
    for await (const view of viewAnswer(qpilot, asked, options)) last = view;
  };
  const turn = () => last && answerIn(last, asked);
  return { ended: read(), last: () => last, turn, words: () => textOf(turn()?.parts ?? []) };
}

describe('the view of an answer', () => {
  test('grows with its events and ends with its status, steps and visuals', async () => {
    const { answerTurn, goOn } = inTwoParts();
    const { url } = await start({ answerTurn });
    const qpilot = createQPilot({ url });
    const answer = look(qpilot, await qpilot.ask('How is it?'));
    await until(() => answer.words() === 'Before. ');
    expect(answer.turn()).toMatchObject({
      status: 'RUNNING',
      steps: [{ label: 'Looking', status: 'RUNNING' }],
    });
    goOn();
    await answer.ended;
    expect(answer.words()).toBe('Before. After.');
    expect(answer.turn()).toMatchObject({ status: 'COMPLETED', steps: [{ status: 'OK' }] });
    expect(answer.turn()?.parts.map(({ type }) => type)).toEqual(['text', 'chart', 'table', 'text']);
  });

  test('goes on where it was left, and asks nothing of the server once it is complete', async () => {
    const { answerTurn, goOn } = inTwoParts();
    const { url } = await start({ answerTurn });
    const { qpilot, sockets } = counting(url);
    const asked = await qpilot.ask('How is it?');
    const left = new AbortController();
    const first = look(qpilot, asked, { signal: left.signal });
    await until(() => first.words() === 'Before. ');
    left.abort();
    await first.ended;
    goOn();
    const view = first.last()!;
    const second = look(qpilot, asked, { view });
    await second.ended;
    expect(second.words()).toBe('Before. After.');
    const opened = sockets.length;
    const third = look(qpilot, asked, { view: second.last()! });
    await third.ended;
    expect(third.last()).toBe(second.last());
    expect(sockets).toHaveLength(opened);
  });

  test('of a message that joined a running answer is that answer, from its beginning', async () => {
    const { answerTurn, goOn } = inTwoParts();
    const { url } = await start({ answerTurn });
    const qpilot = createQPilot({ url });
    const first = await qpilot.ask('How is it?');
    const before = look(qpilot, first);
    await until(() => before.words() === 'Before. ');
    const added = await qpilot.ask({ content: 'And Q3?', sessionId: first.sessionId, whenBusy: 'STEER' });
    expect(added.fromSeq).toBeLessThan(added.lastSeq);
    const answer = look(qpilot, JSON.parse(JSON.stringify(added)) as Asked);
    goOn();
    await answer.ended;
    expect(answer.turn()?.id).toBe(first.turnId);
    expect(answer.words()).toBe('Before. After.');
    await before.ended;
  });
});

test('a text is cut at its numbers, those that are not there as they are written left out', () => {
  const at = (offset: number, words: string) =>
    ({ __typename: 'GroundedNumber', offset, text: words }) as Parameters<typeof cutAtNumbers>[2][number];
  const numbers = [at(3, '1'), at(12, '59.5'), at(20, '7'), at(99, '5')];
  const pieces = cutAtNumbers('T1 is 59.5 µs', 6, numbers);
  expect(pieces.map(({ text: words, number }) => [words, number?.offset ?? null])).toEqual([
    ['T1 is ', null],
    ['59.5', 12],
    [' µs', null],
  ]);
  expect(cutAtNumbers('', 0, numbers)).toEqual([]);
});

describe('a chart', () => {
  test('is read by its id with data and layout, and is not found where it is none', async () => {
    const { url } = await start({ answerTurn: tell(toolStart('a'), toolEnd('a'), text('There.')) });
    const qpilot = createQPilot({ url });
    const asked = await qpilot.ask('Show it');
    const answer = look(qpilot, asked);
    await answer.ended;
    const ids = answer.turn()!.parts.flatMap((part) => (part.type === 'chart' ? [part.chart.id] : []));
    expect(await readChart(qpilot, ids[0]!)).toMatchObject({ kind: 'HEATMAP', data: [{ z: [1, null] }] });
    await expect(readChart(qpilot, asked.turnId)).rejects.toThrow(NotFoundError);
    await expect(readChart(qpilot, 'nothing')).rejects.toThrow();
  });
});

/** Watches chip C1 until the test leaves. */
function watch(qpilot: QPilot, chipId = 'C1') {
  const left = new AbortController();
  const seen: Chip[] = [];
  const read = async (): Promise<void> => {
    for await (const chip of watchChip(qpilot, chipId, { metric: 't1', signal: left.signal }))
      seen.push(chip);
  };
  const highest = () => seen.at(-1)?.summary?.parameters.find(({ name }) => name === 't1')?.max;
  return { seen, ended: read(), highest, leave: () => left.abort() };
}

describe('a chip', () => {
  test('is given with its summary, health and a map, and again when a result arrives', async () => {
    const running = await start({ documents: SMALL_CHIP });
    const chip = watch(createQPilot({ url: running.url }));
    await until(() => chip.highest() === 40);
    expect(chip.seen[0]).toMatchObject({ chipId: 'C1', size: 16, heatmap: { kind: 'HEATMAP' } });
    expect(chip.seen[0]?.summary?.health).toHaveProperty('label');
    await measureT1(running, 60);
    await until(() => chip.highest() === 60);
    chip.leave();
    await chip.ended;
  });

  test('is right again after the server was away, though what happened meanwhile was not told', async () => {
    const running = await start({ documents: SMALL_CHIP });
    network = await startTcpProxy(running.url);
    const chip = watch(createQPilot({ url: network.url }));
    await until(() => chip.highest() === 40);
    network.cut();
    await measureT1(running, 60);
    network.mend();
    await until(() => chip.highest() === 60);
    chip.leave();
    await chip.ended;
  });

  test('that does not exist is not found, and nobody unknown is shown one', async () => {
    const running = await start({ documents: SMALL_CHIP });
    await expect(watch(createQPilot({ url: running.url }), 'nothing').ended).rejects.toThrow(NotFoundError);
    await running.stop();
    const closed = await start({ env: { AUTH_MODE: 'accounts' } });
    const nobody = watch(createQPilot({ url: closed.url, token: 'qp_wrong' }));
    await expect(nobody.ended).rejects.toThrow(UnauthenticatedError);
  });
});

describe('the socket of a client', () => {
  test('is one for all that is followed, and closed with the last of it', async () => {
    const { answerTurn, goOn } = inTwoParts();
    const { url } = await start({ answerTurn, documents: SMALL_CHIP });
    const { qpilot, sockets } = counting(url);
    const chips = [watch(qpilot), watch(qpilot)];
    const answers = [look(qpilot, await qpilot.ask('One')), look(qpilot, await qpilot.ask('Two'))];
    await until(() => answers.every(({ words }) => words() === 'Before. '));
    await until(() => chips.every(({ highest }) => highest() === 40));
    goOn();
    await Promise.all(answers.map(({ ended }) => ended));
    expect(sockets).toHaveLength(1);
    for (const { leave } of chips) leave();
    await Promise.all(chips.map(({ ended }) => ended));
    await until(() => sockets[0]?.readyState === WebSocket.CLOSED);
  });

  test('that died without a sign is replaced by one when the page wakes, and nothing is lost', async () => {
    const { answerTurn, goOn } = inTwoParts();
    const { url } = await start({ answerTurn });
    network = await startTcpProxy(url);
    const { qpilot, sockets } = counting(network.url);
    const wakes = new Set<() => void>();
    const watchWaking = (onWake: () => void): (() => void) => {
      wakes.add(onWake);
      return () => wakes.delete(onWake);
    };
    const asked = [await qpilot.ask('One'), await qpilot.ask('Two')];
    const answers = asked.map((each) => look(qpilot, each, { watchWaking }));
    await until(() => answers.every(({ words }) => words() === 'Before. '));
    network.freeze();
    goOn();
    for (const wake of wakes) wake();
    await Promise.all(answers.map(({ ended }) => ended));
    expect(answers.map(({ words }) => words())).toEqual(['Before. After.', 'Before. After.']);
    expect(sockets).toHaveLength(2);
  });
});
