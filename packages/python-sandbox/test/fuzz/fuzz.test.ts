import { expect, test } from '@jest/globals';
import { BARE_PYTHON } from '../support/bare-python.ts';
import { describeEngines } from '../support/engines.ts';
import { fuzz } from './fuzz.ts';

describeEngines('generated scripts', (engine) => {
  test('reach nothing, end in time and leave the sandbox as it was', async () => {
    expect(await fuzz({ engine, python: BARE_PYTHON, seed: 20_261_122, scripts: 15 })).toEqual([]);
  });
});
