import { createHash } from 'node:crypto';

/** Checksum of these bytes one after another, in hexadecimal. */
export function sha256Of(...parts: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}
