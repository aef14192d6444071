import { expect, test } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { sharedNext } from '../../src/base/shared-next.ts';

test('each value was read after it was asked for, by as few reads as that takes', async () => {
  const reads: PromiseWithResolvers<string>[] = [];
  const ask = sharedNext(() => {
    const read = Promise.withResolvers<string>();
    reads.push(read);
    return read.promise;
  });
  const [first, second, third] = [ask(), ask(), ask()];
  expect(reads).toHaveLength(1);
  reads[0]!.resolve('before');
  expect(await first).toBe('before');
  await setImmediate();
  reads[1]!.resolve('after');
  expect([await second, await third]).toEqual(['after', 'after']);
  expect(reads).toHaveLength(2);
});

test('a read that fails fails for those who share it, and for nobody else', async () => {
  const outcomes = [Promise.reject(new Error('away')), Promise.resolve('there')];
  outcomes[0]!.catch(() => {});
  const ask = sharedNext(async () => outcomes.shift()!);
  const [first, second] = [ask(), ask()];
  await expect(first).rejects.toThrow('away');
  expect(await second).toBe('there');
});
