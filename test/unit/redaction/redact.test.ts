import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { redactSecrets, redactValue } from '../../../src/base/redaction/redact.ts';
import { hostileText } from '../../support/secrets.ts';
import { cpuMs } from '../../support/took.ts';

describe('L4: a text', () => {
  test.each([
    ['asked with Bearer abcdef123456', 'asked with Bearer [redacted]'],
    ['Authorization: Basic dXNlcjpwYXNz', 'Authorization: [redacted]'],
    ['["authorization","Bearer abc"]', '["authorization",[redacted]"]'],
    ['Basic dXNlcjpwYXNzd29yZA==', 'Basic [redacted]'],
    ['key sk-ant-api03-abcdefgh, or sk-proj-12345678.', 'key [redacted], or [redacted].'],
    [String.raw`a line\nsk-abcdefgh12`, String.raw`a line\n[redacted]`],
    ['ghp_abcdefghijklmnop AKIAABCDEFGHIJKLMNOP', '[redacted] [redacted]'],
    ['mongodb://u:p@ss:w/rd@h:27017/x?y', 'mongodb://u:[redacted]@h:27017/x?y'],
    ['postgres://qpilot:hunter2@db/qpilot', 'postgres://qpilot:[redacted]@db/qpilot'],
    ['redis://:pw@h', 'redis://:[redacted]@h'],
    ['https://0123456789abcdef0123@git.lab/x', 'https://[redacted]@git.lab/x'],
    ['Cookie: sid=abc; theme=dark', 'Cookie: [redacted]'],
    ['Set-Cookie: sid=abc; Path=/; HttpOnly', 'Set-Cookie: [redacted]'],
    ['{"password":"x \\" y","k":1}', '{"password":[redacted],"k":1}'],
    [String.raw`"{\"api_key\":\"abc\"}"`, String.raw`"{\"api_key\":[redacted]}"`],
    ['DB_PASSWORD=hunter2 PGPASSWORD=a', 'DB_PASSWORD=[redacted] PGPASSWORD=[redacted]'],
    ["password: 'one two'\nuser: a", 'password: [redacted]\nuser: a'],
    ['?api_key=abc&x=1', '?api_key=[redacted]&x=1'],
    ['my password is hunter2', 'my password is [redacted]'],
    ['パスワード：ひみつ です', 'パスワード：[redacted] です'],
    ['token=abcdefg1', 'token=[redacted]'],
    ['eyJhbGciOiJI.eyJzdWIiOiIx.abc-d', '[redacted]'],
    ['-----BEGIN A KEY-----\nabc\n-----END A KEY----- ok', '[redacted] ok'],
    ['cut off: -----BEGIN RSA PRIVATE KEY-----\nabc', 'cut off: [redacted]'],
  ])('%j keeps no secret', (text, expected) => {
    expect(redactSecrets(text)).toBe(expected);
  });

  test.each([
    'The state |0⟩ ⟨1| of Q5, T1 = 83.2 ± 0.4 µs at 2026-11-20 10:00.',
    'http://localhost:4000/graphql and https://user@lab.org/a:b, mail a@b.org',
    'http://127.0.0.1:4000/@scope/package',
    'task-id risk-something-long desk-measurements',
    'max_tokens=60000, token: 5 tokens, tokens: 12',
    'password: please ask the admin; the password is required',
    'Bearer of good news: none',
    'basic calibration of secretaries and cookies',
    '| Qubit | T1 |\n|-------|----|\n| Q0 | 80 |',
    'api_key=null, "password": null, password=[redacted]',
    `data:image/png;base64,${'iVBORw0KGgoAAAANSUhEUg+eyJ/'.repeat(50)}==`,
    '019a2b3c-7d1e-7f00-8000-0123456789ab',
  ])('%j stays as it is', (text) => {
    expect(redactSecrets(text)).toBe(text);
  });

  test('redacting twice is redacting once', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const once = redactSecrets(text);
        expect(redactSecrets(once)).toBe(once);
      }),
      { numRuns: 2_000 },
    );
  });

  // A search that went back would take minutes for these, not milliseconds.
  test.each([
    '-----BEGIN A-----',
    '-----BEGIN A-----\n-----END ',
    '://',
    '://a:',
    'sk-',
    'eyJaaaaaaaaa.',
    'password',
    'password=',
    'password: "\\',
    'bearer ',
    'basic aaaaB',
    'cookie: a=b;',
    'authorization: ',
    'token=',
    'secret: a ',
    '\\',
  ])('a million characters of %j take no longer than others', (unit) => {
    const text = unit.repeat(1_000_000 / unit.length);
    expect(cpuMs(() => redactSecrets(text))).toBeLessThan(5_000);
  });
});

describe('L4: a value', () => {
  test('loses secrets at every depth, in keys, and behind the names of secrets', () => {
    expect(
      redactValue({
        headers: { Authorization: 'abc', 'x-api-key': 'k', accept: '*/*' },
        list: ['Bearer abcdef123456', { deeper: [{ dbPassword: 'x' }] }],
        'sk-abcdefgh12': 1,
        maxTokens: 5,
        token: null,
      }),
    ).toEqual({
      headers: { Authorization: '[redacted]', 'x-api-key': '[redacted]', accept: '*/*' },
      list: ['Bearer [redacted]', { deeper: [{ dbPassword: '[redacted]' }] }],
      '[redacted]': 1,
      maxTokens: 5,
      token: null,
    });
  });

  test('errors become objects with their causes, and say no secret', () => {
    const cause = Object.assign(new Error('at postgres://u:hunter2@h'), {
      code: 'E',
      config: { apiKey: 'k' },
    });
    const text = JSON.stringify(redactValue(new AggregateError([cause], 'sk-abcdefgh12', { cause })));
    expect(text).not.toMatch(/hunter2|sk-abc|"k"/);
    expect(JSON.parse(text)).toMatchObject({
      message: '[redacted]',
      cause: { message: 'at postgres://u:[redacted]@h', code: 'E' },
      errors: [{ code: 'E' }],
    });
  });

  test('what JSON does not have becomes what it has', () => {
    const circle: { self?: object } = {};
    circle.self = circle;
    expect(
      redactValue({
        bytes: Buffer.from('sk-abcdefgh12'),
        map: new Map([['cookie', 'a']]),
        set: new Set(['sk-abcdefgh12']),
        headers: new Headers({ cookie: 'a=b' }),
        url: new URL('http://u:hunter2@h/'),
        at: new Date(0),
        big: 5n,
        circle,
      }),
    ).toEqual({
      bytes: '[13 bytes]',
      map: { cookie: '[redacted]' },
      set: ['[redacted]'],
      headers: { cookie: '[redacted]' },
      url: 'http://u:[redacted]@h/',
      at: '1970-01-01T00:00:00.000Z',
      big: 5,
      circle: { self: '[circular]' },
    });
  });
});
