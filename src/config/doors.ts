/** How people come in, as the environment configures it: who signs them in, under which address, behind which proxies. */
import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import { StartupError } from '../base/errors.ts';

/**
 * Who says who somebody is. `none`: nobody, everybody on this machine is the same viewer; `accounts`: QPilot itself.
 */
export const AUTH_MODES = ['none', 'accounts'] as const;
export type AuthMode = (typeof AUTH_MODES)[number];

/** Variables that this file reads. */
export const DOOR_VARIABLES = {
  AUTH_MODE: z.enum(AUTH_MODES).optional(),
  PUBLIC_URL: z.string().optional(),
  TRUSTED_PROXIES: z.string().default(''),
  AUTH_SECRET: z.string().min(32, { error: 'must have 32 characters at least' }).optional(),
} as const;

/** Addresses of proxies whose headers are believed. */
export type TrustedProxies = { readonly has: (address: string) => boolean };

/** How people come in. */
export type DoorConfig = {
  readonly mode: AuthMode;
  /** Origin under which browsers reach the server, for example `https://qpilot.example.org`; null: its own address. */
  readonly publicOrigin: string | null;
  readonly trustedProxies: TrustedProxies;
  /** Signs cookies; null: a secret of the data folder. */
  readonly secret: string | null;
};

type Given = z.infer<z.ZodObject<typeof DOOR_VARIABLES>> & { readonly HOST: string };

const LOOPBACK = new Set(['127.0.0.1', '::1', '[::1]', 'localhost']);

/** @throws StartupError for addresses that nobody could use, or that would let everybody in. */
export function readDoors(given: Given): DoorConfig {
  const publicOrigin = given.PUBLIC_URL === undefined ? null : originOf(given.PUBLIC_URL);
  const isPublic = publicOrigin !== null && !LOOPBACK.has(new URL(publicOrigin).hostname);
  const isExposed = !LOOPBACK.has(given.HOST);
  const mode = given.AUTH_MODE ?? (isPublic || isExposed ? 'accounts' : 'none');
  if (mode === 'none' && (isPublic || isExposed)) {
    const what = isExposed ? `HOST=${given.HOST}` : `PUBLIC_URL=${given.PUBLIC_URL}`;
    throw new StartupError(
      `${what} would let everybody on the network in, since AUTH_MODE=none has no sign-in: set AUTH_MODE=accounts, or keep to HOST=127.0.0.1 without PUBLIC_URL`,
    );
  }
  if (isExposed && publicOrigin === null) {
    throw new StartupError(
      `HOST=${given.HOST} needs PUBLIC_URL, the address that people type, for example PUBLIC_URL=https://qpilot.example.org`,
    );
  }
  const trustedProxies = readTrustedProxies(given.TRUSTED_PROXIES);
  return { mode, publicOrigin, trustedProxies, secret: given.AUTH_SECRET ?? null };
}

/** @throws StartupError if it is not the plain https address of a host. */
function originOf(publicUrl: string): string {
  const url = URL.parse(publicUrl);
  const wrong = (what: string) =>
    new StartupError(`PUBLIC_URL=${JSON.stringify(publicUrl)} ${what}; expected https://qpilot.example.org`);
  if (url === null || !/^https?:$/u.test(url.protocol)) throw wrong('is not an http address');
  if (url.username !== '' || url.password !== '')
    throw new StartupError('PUBLIC_URL must not hold a password');
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw wrong('has a path, under which pages do not work');
  if (url.protocol === 'http:' && !LOOPBACK.has(url.hostname))
    throw wrong('would send passwords unencrypted');
  return url.origin;
}

/** Reads addresses and networks such as `10.0.0.1, 192.168.0.0/16`. @throws StartupError naming what is neither. */
function readTrustedProxies(text: string): TrustedProxies {
  const list = new BlockList();
  for (const entry of text.split(/[\s,]+/u).filter((each) => each !== '')) {
    const [address = '', prefix, ...rest] = entry.split('/');
    const version = isIP(address);
    const bits = prefix === undefined ? (version === 4 ? 32 : 128) : Number(prefix);
    const isNetwork = Number.isInteger(bits) && bits >= 0 && bits <= (version === 4 ? 32 : 128);
    if (version === 0 || !isNetwork || prefix === '' || rest.length > 0) {
      throw new StartupError(
        `TRUSTED_PROXIES: ${JSON.stringify(entry)} is neither an address nor a network such as 10.0.0.0/8`,
      );
    }
    list.addSubnet(address, bits, version === 4 ? 'ipv4' : 'ipv6');
  }
  return {
    has: (address) => isIP(address) !== 0 && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6'),
  };
}
