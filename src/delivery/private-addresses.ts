/**
 * Keeps messages off the own network: whoever may enter an address could else reach what only this server reaches. Names
 * are resolved and checked as the connection is made, so a name cannot change its address in between.
 */
import { lookup as resolve, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Apart: a list with IPv4 as IPv6 would match all of IPv4. */
const [IPV4, IPV6] = [new BlockList(), new BlockList()];
for (const [address, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  IPV4.addSubnet(address, bits, 'ipv4');
for (const [address, bits] of [
  ['::', 96], // unspecified, loopback, IPv4 written as IPv6
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  IPV6.addSubnet(address, bits, 'ipv6');

export const isPrivateAddress = (address: string): boolean =>
  isIP(address) === 6 ? IPV6.check(address, 'ipv6') : IPV4.check(address, 'ipv4');

/** Its message is for people and names no address. */
export class RefusedAddressError extends Error {}

const refused = (host: string): RefusedAddressError =>
  new RefusedAddressError(
    `${host} is in a private network; an operator can allow it with ALERT_PRIVATE_HOSTS=${host}`,
  );

/** Null for an address that may be tried; names are checked again when they are resolved. */
export function refusalOf(url: URL, allowed: ReadonlySet<string>): RefusedAddressError | null {
  if (allowed.has(url.host) || allowed.has(url.hostname)) return null;
  const address = url.hostname.replace(/^\[|\]$/gu, '');
  const isOwn = isIP(address) === 0 ? /(?:^|\.)localhost\.?$/iu.test(address) : isPrivateAddress(address);
  return isOwn ? refused(url.host) : null;
}

/** Resolves names; fails where one address of a name is private. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    const [first] = addresses ?? [];
    if (error || first === undefined) return callback(error ?? new Error('no address'), '', 4);
    if (addresses.some(({ address }) => isPrivateAddress(address))) return callback(refused(hostname), '', 4);
    if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};
