import { describe, expect, test } from '@jest/globals';
import {
  destinationOf,
  isSameRedirect,
  redirectTo,
  refusalOfRedirect,
} from '../../src/identity/oauth/redirects.ts';

describe('a program may be sent back to', () => {
  test.each([
    'https://claude.ai/api/mcp/auth_callback',
    'https://vscode.dev/redirect',
    'http://127.0.0.1:33418/',
    'http://localhost/callback',
    'http://[::1]:8080/cb?x=1',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'com.example.app:/oauth',
  ])('%s', (address) => {
    expect(refusalOfRedirect(address)).toBeNull();
  });
});

describe('nobody is sent to', () => {
  test.each([
    ['http://evil.example/cb', 'not encrypted'],
    ['http://127.0.0.1.evil.example/', 'not encrypted'],
    ['http://localhost.evil.example/', 'not encrypted'],
    ['https://lab.example@evil.example/', 'a name or password'],
    ['https://evil.example/#fragment', 'fragment'],
    ['https://evil.example/#', 'fragment'],
    ['https:\\\\evil.example', 'is no address'],
    ['https://evil.example/\nx', 'is no address'],
    ['https://évil.example/', 'is no address'],
    ['/callback', 'is no address'],
    ['', 'is no address'],
    ['javascript:alert(1)', 'has the scheme javascript:'],
    ['data:text/html,x', 'has the scheme data:'],
    ['file:///etc/passwd', 'has the scheme file:'],
    ['ssh://host', 'has the scheme ssh:'],
    ['ms-msdt:/x', 'has the scheme ms-msdt:'],
    [`https://evil.example/${'x'.repeat(500)}`, 'longer than 500'],
  ])('%j', (address, words) => {
    expect(refusalOfRedirect(address)).toContain(words);
  });
});

test('addresses are compared as text, but for the port of this computer', () => {
  const registered = 'http://127.0.0.1:1234/callback?a=1';
  expect(isSameRedirect(registered, registered)).toBe(true);
  expect(isSameRedirect(registered, 'http://127.0.0.1:9/callback?a=1')).toBe(true);
  expect(isSameRedirect('http://localhost/cb', 'http://localhost:5/cb')).toBe(true);
  for (const other of [
    'http://127.0.0.1:1234/callback',
    'http://127.0.0.1:1234/callback?a=1&b=2',
    'http://127.0.0.1:1234/callback/../x?a=1',
    'http://localhost:1234/callback?a=1',
    'http://user@127.0.0.1:1234/callback?a=1',
    'http://127.0.0.1:1234/callback?a=1#x',
    'https://127.0.0.1:1234/callback?a=1',
  ])
    expect([other, isSameRedirect(registered, other)]).toEqual([other, false]);
  for (const other of ['https://claude.ai/cb/', 'https://claude.ai:444/cb', 'https://CLAUDE.ai/cb'])
    expect([other, isSameRedirect('https://claude.ai/cb', other)]).toEqual([other, false]);
});

test('people are told the server, the program on their computer, or the app', () => {
  expect(destinationOf('https://claude.ai/cb')).toEqual({ kind: 'server', name: 'claude.ai' });
  expect(destinationOf('https://xn--80ak6aa92e.com/cb')).toEqual({
    kind: 'server',
    name: 'xn--80ak6aa92e.com',
  });
  expect(destinationOf('http://localhost:5/cb')).toEqual({ kind: 'computer', name: 'localhost:5' });
  expect(destinationOf('cursor://x/cb')).toEqual({ kind: 'app', name: 'cursor' });
});

test('what a program is told does not replace what it had in its address', () => {
  const told = { code: 'x&y', state: 'a b', iss: 'https://lab.example', error: null };
  expect(redirectTo('https://claude.ai/cb?own=1', told)).toBe(
    'https://claude.ai/cb?own=1&code=x%26y&state=a+b&iss=https%3A%2F%2Flab.example',
  );
  expect(redirectTo('cursor://x/cb', { code: 'c' })).toBe('cursor://x/cb?code=c');
});
