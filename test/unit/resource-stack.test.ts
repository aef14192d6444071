import { describe, expect, test } from '@jest/globals';
import { ResourceStack, withResources } from '../../src/base/resource-stack.ts';

/** Notes in `closed` what is closed; each waits a little, so that closing at once would be seen. */
function closings(resources: ResourceStack, closed: string[], ...names: readonly string[]): void {
  for (const name of names) {
    resources.defer(async () => {
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
    const resources = new ResourceStack();
    closings(resources, closed, 'store', 'server');
    await resources.closeAll();
    await resources.closeAll();
    expect(closed).toEqual(['server begins', 'server ends', 'store begins', 'store ends']);
  });

  test('closes the others when one cannot be closed, and says which could not', async () => {
    const closed: string[] = [];
    const resources = new ResourceStack();
    closings(resources, closed, 'store');
    resources.defer(failing('stuck'));
    await expect(resources.closeAll()).rejects.toThrow('stuck');
    expect(closed).toEqual(['store begins', 'store ends']);

    const worse = new ResourceStack();
    worse.defer(failing('one'));
    worse.defer(failing('two'));
    const error = await worse.closeAll().catch((caught: unknown) => caught);
    expect((error as AggregateError).errors.map(String)).toEqual(['Error: two', 'Error: one']);
  });

  test('leaves to a new owner what was moved, and takes nothing more', async () => {
    const closed: string[] = [];
    const resources = new ResourceStack();
    closings(resources, closed, 'store');
    const moved = resources.move();
    await resources.closeAll();
    expect(closed).toEqual([]);
    expect(() => resources.defer(() => {})).toThrow('the resources were already closed or moved');
    await moved.closeAll();
    expect(closed).toEqual(['store begins', 'store ends']);
  });

  test('gives back what it adopts, and closes that', async () => {
    const resources = new ResourceStack();
    const file = { isOpen: true };
    expect(resources.adopt(file, (each) => (each.isOpen = false))).toBe(file);
    await resources.closeAll();
    expect(file.isOpen).toBe(false);
  });
});

describe('while work goes on', () => {
  test('what it opened is open, and is closed before its result is given', async () => {
    const closed: string[] = [];
    const result = await withResources(async (resources) => {
      closings(resources, closed, 'store');
      return closed.length;
    });
    expect({ result, closed }).toEqual({ result: 0, closed: ['store begins', 'store ends'] });
  });

  test('its failure closes everything and is told as it is', async () => {
    const closed: string[] = [];
    const failure = new Error('port is taken');
    const error = await withResources(async (resources) => {
      closings(resources, closed, 'store', 'server');
      throw failure;
    }).catch((caught: unknown) => caught);
    expect(error).toBe(failure);
    expect(closed).toHaveLength(4);
  });

  test('a failure while closing hides none of the work', async () => {
    const work = withResources(async (resources) => {
      resources.defer(failing('stuck'));
      throw new Error('port is taken');
    });
    const error = (await work.catch((caught: unknown) => caught)) as AggregateError;
    expect(error.errors.map(String)).toEqual(['Error: port is taken', 'Error: stuck']);
    await expect(withResources(async (resources) => resources.defer(failing('stuck')))).rejects.toThrow(
      'stuck',
    );
  });
});
