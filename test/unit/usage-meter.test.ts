import { expect, test } from '@jest/globals';
import { createUsageMeter } from '../../src/agent/loop/usage-meter.ts';

const counted = { inputTokens: 100, outputTokens: 20, cachedTokens: 10 };
const text = 'x'.repeat(40); // taken for 10 tokens
const sent = { text, imageTokens: 0 };
const nothing = { text: '', imageTokens: 0 };

test('A meter sums what the provider counted and says what is left', () => {
  const meter = createUsageMeter(1000, () => 0.5);
  expect(meter.total).toBeNull();
  meter.add('a', counted, sent, text);
  meter.add('b', counted, sent, text);
  expect(meter.total).toEqual({
    inputTokens: 200,
    outputTokens: 40,
    cachedTokens: 20,
    totalTokens: 240,
    model: 'b',
    costUsd: 1,
  });
  expect(meter.leftTokens).toBe(760);
  expect(meter.nextInputTokens(sent)).toBe(130);
});

test('A call that was not counted is estimated with everything exchanged before it', () => {
  const meter = createUsageMeter(1000, () => null);
  meter.add('a', counted, sent, text);
  meter.add('a', null, sent, text);
  expect(meter.total).toMatchObject({ inputTokens: 100 + 130, outputTokens: 20 + 10, estimated: true });
});

test('Pictures count, and a model that comes in between has been sent nothing yet', () => {
  const meter = createUsageMeter(1000, () => null);
  expect(meter.nextInputTokens({ text, imageTokens: 500 })).toBe(510);
  meter.add('a', counted, sent, text);
  meter.forgetExchange();
  expect(meter.nextInputTokens(sent)).toBe(10);
  meter.add('b', { ...counted, inputTokens: 20 }, sent, text);
  expect(meter.tokensPerEstimate).toBe(2);
});

test('A broken stream is paid for and not part of the exchange', () => {
  const meter = createUsageMeter(1000, () => null);
  meter.add('a', counted, sent, text);
  meter.addBroken('a', sent, text);
  expect(meter.total).toMatchObject({ inputTokens: 230, outputTokens: 30, estimated: true });
  expect(meter.nextInputTokens(sent)).toBe(130);
});

test('One call without a price leaves the turn without a cost', () => {
  const meter = createUsageMeter(1000, (model) => (model === 'a' ? 1 : null));
  meter.add('a', counted, nothing, '');
  meter.add('b', counted, nothing, '');
  meter.add('a', counted, nothing, '');
  expect(meter.total?.costUsd).toBeNull();
});
