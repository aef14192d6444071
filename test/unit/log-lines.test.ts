import { describe, expect, test } from '@jest/globals';
import { createLogger } from '../../src/base/log.ts';
import { forPeople } from '../../src/base/log-lines.ts';

describe('lines of the log for people', () => {
  const logged = (log: (to: ReturnType<typeof createLogger>) => void): string => {
    let text = '';
    log(
      createLogger(
        'info',
        forPeople((line) => (text += line)),
      ),
    );
    return text;
  };

  test('begin with the time, then what happened with its fields', () => {
    expect(
      logged((log) => log.info({ model: 'gpt-4.1', ms: 12, tool: 'rank qubits' }, 'a tool was called')),
    ).toMatch(/^\d\d:\d\d:\d\d a tool was called model=gpt-4\.1 ms=12 tool="rank qubits"\n$/u);
  });

  test('name a level that is more than information, and an error with its cause and stack', () => {
    const error = new Error('the store is away', { cause: new Error('connect ECONNREFUSED') });
    const lines = logged((log) => log.error(error)).split('\n');
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d ERROR the store is away$/u);
    expect(lines[1]).toBe('  Error: the store is away');
    expect(lines[2]).toMatch(/^ {6}at /u);
    expect(lines).toContain('  caused by');
    expect(lines).toContain('  Error: connect ECONNREFUSED');
  });

  test('are redacted as the lines of JSON are', () => {
    expect(
      logged((log) => log.warn({ apiKey: 'sk-abcdefghijklmnopqrstuvwxyz123456' }, 'asked')),
    ).not.toContain('sk-abc');
  });
});
