import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { v4, validate } from 'uuid';
import { isProcessGone, newProcessId } from '../../src/base/process-identity.ts';

test('an id says whether its process is gone; those of living processes and of unknown ones never are', () => {
  const file = fileURLToPath(new URL('../../src/base/process-identity.ts', import.meta.url));
  const code = `import(${JSON.stringify(file)}).then(({ newProcessId }) => process.stdout.write(newProcessId()))`;
  const { stdout } = spawnSync(process.execPath, ['-e', code], { encoding: 'utf8' });
  expect(validate(stdout)).toBe(true);
  expect(isProcessGone(stdout)).toBe(true);
  expect(newProcessId()).not.toBe(newProcessId());
  expect(isProcessGone(newProcessId())).toBe(false);
  expect(isProcessGone(v4())).toBe(false);
  const [machine = '', ...rest] = stdout.split('-');
  expect(isProcessGone(['0'.repeat(machine.length), ...rest].join('-'))).toBe(false); // of another machine
});

test('another process under the same number is not the one that made the id', () => {
  const own = newProcessId();
  const sameNumber = own.slice(0, -6) + (own.endsWith('000000') ? '111111' : '000000');
  expect(isProcessGone(sameNumber)).toBe(process.platform === 'linux');
});
