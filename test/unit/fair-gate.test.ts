import { describe, expect, test } from '@jest/globals';
import { ServiceBusyError } from '../../src/base/errors.ts';
import { FairGate } from '../../src/base/fair-gate.ts';

/** Work that ends when it is told to, and the order in which it began. */
function heldWork() {
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    began.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  };
  /** Ends work; resolves once what it let in has begun. */
  const end = async (name: string): Promise<void> => {
    ends.get(name)!();
    await new Promise(setImmediate);
  };
  return { began, work, end };
}

describe('a gate', () => {
  test('lets in one piece of work of each key, so many in all, and lets keys take turns', async () => {
    const gate = new FairGate({ width: 2, waitMs: 60_000 });
    const { began, work, end } = heldWork();
    const all = ['a1', 'a2', 'a3', 'b1', 'c1'].map((name) => gate.run(name[0]!, work(name)));
    await new Promise(setImmediate);
    expect(began).toEqual(['a1', 'b1']);
    await end('a1');
    expect(began).toEqual(['a1', 'b1', 'c1']);
    await end('b1');
    await end('a2');
    await end('c1');
    await end('a3');
    expect(began).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1', 'c1']);
  });

  test('refuses work that waited too long, which then never begins and takes no place', async () => {
    const gate = new FairGate({ width: 1, waitMs: 5 });
    const { began, work, end } = heldWork();
    const first = gate.run('a', work('a1'));
    const late = gate.run('a', work('a2'));
    await expect(late).rejects.toThrow(ServiceBusyError);
    await expect(late).rejects.toMatchObject({ code: 'SERVICE_BUSY', retryAfterMs: 5 });
    await end('a1');
    await first;
    expect(await gate.run('a', () => Promise.resolve('next'))).toBe('next');
    expect(began).toEqual(['a1']);
  });

  test('goes on after work that fails', async () => {
    const gate = new FairGate({ width: 1, waitMs: 60_000 });
    const failing = gate.run('a', () => Promise.reject(new Error('no')));
    const next = gate.run('a', () => Promise.resolve('yes'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });
});
