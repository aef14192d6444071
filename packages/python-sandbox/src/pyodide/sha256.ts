import { createHash } from 'node:crypto';

/** Hexadecimal checksum of the concatenated parts. */
export function sha256Of(...parts: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}
