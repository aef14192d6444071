import { describe, expect, test } from '@jest/globals';
import { readOptions, serverUrl } from '../../client/terminal/options.ts';

describe('the server that the terminal asks', () => {
  test('is the one that was named, else that of QPILOT_URL, else the one of PORT on this machine', () => {
    const env = { QPILOT_URL: 'https://lab.example/graphql', PORT: '4711' };
    expect(serverUrl('http://other:1/', env)).toBe('http://other:1');
    expect(serverUrl(undefined, env)).toBe('https://lab.example');
    expect(serverUrl(undefined, { PORT: '4711' })).toBe('http://127.0.0.1:4711');
    expect(serverUrl(undefined, {})).toBe('http://127.0.0.1:4000');
  });

  test('must have an http address', () => {
    expect(() => readOptions(['how', 'is', 'it?', '--url', 'lab'], {})).toThrow(
      '"lab" is not an http address',
    );
  });
});
