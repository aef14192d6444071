/** A test fails whose requests a real provider would refuse. Jest loads this before each file. */
import { afterAll, afterEach } from '@jest/globals';
import { takeRefusals } from './strict/provider.ts';

function fail(): void {
  const refusals = takeRefusals();
  if (refusals.length > 0)
    throw new Error(`${refusals.length} refused:\n${refusals.slice(0, 3).join('\n\n')}`);
}

afterEach(fail);
afterAll(fail);
