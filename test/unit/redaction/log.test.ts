import { describe, expect, test } from '@jest/globals';
import { createLogger } from '../../../src/base/log.ts';

/** A logger, and the lines that it wrote, parsed. */
function startLogger() {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>);
  return { log: createLogger('info', { write }), lines };
}

const KEY = 'sk-abcdefgh12345678';

describe('L4: a log line', () => {
  test('has no secret in its message or its fields', () => {
    const { log, lines } = startLogger();
    log.info({ authorization: `Bearer ${KEY}`, turnId: 't', nested: [{ url: `x?api_key=${KEY}` }] }, KEY);
    log.warn('asked with %s', `cookie: sid=${KEY}; a=b`);
    expect(JSON.stringify(lines)).not.toContain(KEY);
    expect(lines).toMatchObject([
      {
        authorization: '[redacted]',
        turnId: 't',
        nested: [{ url: 'x?api_key=[redacted]' }],
        msg: '[redacted]',
      },
      { msg: 'asked with cookie: [redacted]' },
    ]);
  });

  test('tells an error with its stack and causes, without secrets', () => {
    const { log, lines } = startLogger();
    const cause = Object.assign(new Error(`refused ${KEY}`), { headers: { cookie: 'a=b' } });
    log.error({ err: new Error('could not ask', { cause }) }, 'a turn failed');
    log.error(new Error(`alone ${KEY}`));
    expect(JSON.stringify(lines)).not.toContain(KEY);
    expect(lines).toMatchObject([
      {
        err: {
          type: 'Error',
          message: 'could not ask',
          stack: expect.stringContaining('log.test.ts'),
          cause: { message: 'refused [redacted]', headers: { cookie: '[redacted]' } },
        },
      },
      { msg: 'alone [redacted]', err: { message: 'alone [redacted]' } },
    ]);
  });

  test('stays JSON whatever was taken out of it', () => {
    const { log, lines } = startLogger();
    log.info({ raw: '-----BEGIN A KEY-----\nabc', json: `{"password":"a\\"b` }, 'password="\\');
    expect(lines).toMatchObject([{ raw: '[redacted]', msg: expect.stringContaining('password=') }]);
  });
});
