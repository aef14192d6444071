import { describe, expect, test } from '@jest/globals';
import { Opening, whileOpen } from '../../src/opening.ts';

/** Notes in `closed` what is closed; each waits a little, so that closing at once would be seen. */
function closings(opening: Opening, closed: string[], ...names: readonly string[]): void {
  for (const name of names) {
    opening.defer(async () => {
      closed.push(`${name} begins`);
      await Promise.resolve();
      closed.push(`${name} ends`);
    });
  }
}

const failing = (message: string) => () => {
  throw new Error(message);
};

describe('an opening', () => {
  test('closes the last first, one after the other, and only once', async () => {
    const closed: string[] = [];
    const opening = new Opening();
    closings(opening, closed, 'store', 'server');
    await opening.closeAll();
    await opening.closeAll();
    expect(closed).toEqual(['server begins', 'server ends', 'store begins', 'store ends']);
  });

  test('closes the others when one cannot be closed, and says which could not', async () => {
    const closed: string[] = [];
    const opening = new Opening();
    closings(opening, closed, 'store');
    opening.defer(failing('stuck'));
    await expect(opening.closeAll()).rejects.toThrow('stuck');
    expect(closed).toEqual(['store begins', 'store ends']);

    const worse = new Opening();
    worse.defer(failing('one'));
    worse.defer(failing('two'));
    const error = await worse.closeAll().catch((caught: unknown) => caught);
    expect((error as AggregateError).errors.map(String)).toEqual(['Error: two', 'Error: one']);
  });

  test('leaves to a new owner what was moved, and takes nothing more', async () => {
    const closed: string[] = [];
    const opening = new Opening();
    closings(opening, closed, 'store');
    const moved = opening.move();
    await opening.closeAll();
    expect(closed).toEqual([]);
    expect(() => opening.defer(() => {})).toThrow('nothing can be opened any more');
    await moved.closeAll();
    expect(closed).toEqual(['store begins', 'store ends']);
  });

  test('gives back what it adopts, and closes that', async () => {
    const opening = new Opening();
    const file = { isOpen: true };
    expect(opening.adopt(file, (each) => (each.isOpen = false))).toBe(file);
    await opening.closeAll();
    expect(file.isOpen).toBe(false);
  });
});

describe('while work goes on', () => {
  test('what it opened is open, and is closed before its result is given', async () => {
    const closed: string[] = [];
    const result = await whileOpen(async (opening) => {
      closings(opening, closed, 'store');
      return closed.length;
    });
    expect({ result, closed }).toEqual({ result: 0, closed: ['store begins', 'store ends'] });
  });

  test('its failure closes everything and is told as it is', async () => {
    const closed: string[] = [];
    const failure = new Error('port is taken');
    const error = await whileOpen(async (opening) => {
      closings(opening, closed, 'store', 'server');
      throw failure;
    }).catch((caught: unknown) => caught);
    expect(error).toBe(failure);
    expect(closed).toHaveLength(4);
  });

  test('a failure while closing hides none of the work', async () => {
    const work = whileOpen(async (opening) => {
      opening.defer(failing('stuck'));
      throw new Error('port is taken');
    });
    const error = (await work.catch((caught: unknown) => caught)) as AggregateError;
    expect(error.errors.map(String)).toEqual(['Error: port is taken', 'Error: stuck']);
    await expect(whileOpen(async (opening) => opening.defer(failing('stuck')))).rejects.toThrow('stuck');
  });
});
