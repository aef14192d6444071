import { describe, expect, test } from '@jest/globals';
import { readConfig } from '../../src/config/config.ts';

const PUBLIC_URL = 'https://qpilot.example.org';

describe('who signs people in', () => {
  test.each([
    [{}, 'none'],
    [{ HOST: '::1' }, 'none'],
    [{ PUBLIC_URL: 'http://localhost:4000' }, 'none'],
    [{ PUBLIC_URL }, 'accounts'],
    [{ HOST: '0.0.0.0', PUBLIC_URL }, 'accounts'],
    [{ AUTH_MODE: 'accounts' }, 'accounts'],
    [{ AUTH_MODE: 'qdash', HOST: '0.0.0.0', PUBLIC_URL }, 'qdash'],
  ])('with %j is %s', (env, mode) => {
    expect(readConfig(env).doors.mode).toBe(mode);
  });

  test.each([
    [
      { AUTH_MODE: 'none', HOST: '0.0.0.0', PUBLIC_URL },
      /HOST=0.0.0.0 would let everybody .* AUTH_MODE=accounts/,
    ],
    [{ AUTH_MODE: 'none', PUBLIC_URL }, /PUBLIC_URL=https:\/\/qpilot.example.org would let everybody/],
    [{ HOST: '192.168.1.5' }, /HOST=192.168.1.5 needs PUBLIC_URL/],
    [{ PUBLIC_URL: 'qpilot.example.org' }, /is not an http address; expected https:/],
    [{ PUBLIC_URL: 'http://qpilot.example.org' }, /would send passwords unencrypted/],
    [{ PUBLIC_URL: `${PUBLIC_URL}/lab` }, /has a path/],
    [{ PUBLIC_URL: 'https://me:hidden@qpilot.example.org' }, /^PUBLIC_URL must not hold a password$/],
    [{ TRUSTED_PROXIES: '10.0.0.0/33' }, /"10.0.0.0\/33" is neither an address nor a network/],
    [{ TRUSTED_PROXIES: 'nginx' }, /"nginx" is neither/],
  ])('with %j the start is refused', (env, message) => {
    expect(() => readConfig(env)).toThrow(message);
  });
});

test('proxies are trusted by address or network, nobody else', () => {
  const { trustedProxies } = readConfig({ TRUSTED_PROXIES: '10.1.0.0/16, 127.0.0.1 fd00::/8' }).doors;
  const has = (address: string) => trustedProxies.has(address);
  expect(['10.1.2.3', '127.0.0.1', 'fd00::1'].map(has)).toEqual([true, true, true]);
  expect(['10.2.0.1', '127.0.0.2', '::1', '', 'nginx'].map(has)).toEqual(Array(5).fill(false));
  expect(readConfig({}).doors.trustedProxies.has('127.0.0.1')).toBe(false);
});
