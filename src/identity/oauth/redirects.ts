/** Redirect URIs: which are allowed, how they compare, and how the consent page shows them. */

/** Names of this computer; any port of them is the program's own (RFC 8252). */
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Schemes of programs that have no dot in them, against RFC 8252: of known assistants only, since others may start anything.
 */
const APP_SCHEMES = new Set(['cursor:', 'vscode:', 'vscode-insiders:', 'windsurf:']);

const MOST_CHARACTERS = 500;

const isLoopback = (url: URL): boolean => url.protocol === 'http:' && LOOPBACK.has(url.hostname);

/** Why a program may not be sent to an address; null if it may. */
export function refusalOfRedirect(address: string): string | null {
  const shown = JSON.stringify(address.slice(0, 200));
  if (address.length > MOST_CHARACTERS) return `${shown} is longer than ${MOST_CHARACTERS} characters`;
  const url = /^[\u0021-\u007E]+$/u.test(address) && !address.includes('\\') ? URL.parse(address) : null;
  if (url === null) return `${shown} is no address`;
  if (address.includes('#')) return `${shown} has a fragment; leave it out`;
  if (url.username !== '' || url.password !== '') return `${shown} has a name or password; leave it out`;
  if (url.protocol === 'https:' || isLoopback(url)) return null;
  if (url.protocol === 'http:') return `${shown} is not encrypted; use https, or http at 127.0.0.1`;
  const isOfApp = APP_SCHEMES.has(url.protocol) || /^[a-z][a-z\d-]*(?:\.[a-z\d-]+)+:$/u.test(url.protocol);
  return isOfApp
    ? null
    : `${shown} has the scheme ${url.protocol}; use https, http at 127.0.0.1, or a scheme like com.example.app`;
}

/** Whether a program that registered one address means it by another: the same text, but for the port of this computer. */
export function isSameRedirect(registered: string, given: string): boolean {
  if (registered === given) return true;
  const [known, asked] = [URL.parse(registered), URL.parse(given)];
  if (known === null || asked === null || !isLoopback(known) || !isLoopback(asked)) return false;
  if (refusalOfRedirect(given) !== null) return false;
  [known.port, asked.port] = ['', ''];
  return known.href === asked.href;
}

/** Where an address leads, in words of people: another server, a program on their computer, or an app by its scheme. */
export type Destination = { readonly kind: 'server' | 'computer' | 'app'; readonly name: string };

export function destinationOf(address: string): Destination {
  const url = new URL(address);
  if (url.protocol === 'https:') return { kind: 'server', name: url.host };
  if (isLoopback(url)) return { kind: 'computer', name: url.host };
  return { kind: 'app', name: url.protocol.slice(0, -1) };
}

/** The redirect URI with the parameters of the response. */
export function redirectTo(address: string, told: Readonly<Record<string, string | null>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(told)) if (value !== null) url.searchParams.set(name, value);
  return url.href;
}
