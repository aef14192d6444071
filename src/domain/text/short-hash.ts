/**
 * Tells texts apart within one document: 64 bits (FNV-1a over UTF-16 code units), as 16 hex digits. Not for secrets;
 * browsers have no synchronous hash of their own.
 */
export function shortHash(text: string): string {
  let [high, low] = [0xcbf29ce4, 0x84222325];
  for (let at = 0; at < text.length; at += 1) {
    low ^= text.charCodeAt(at);
    // Times 2^40 + 435, modulo 2^64, in halves of 32 bits.
    const product = (low >>> 0) * PRIME_LOW;
    const carry = Math.floor(product / 2 ** 32);
    high = (Math.imul(high, PRIME_LOW) + carry + (low << 8)) | 0;
    low = product | 0;
  }
  return [high, low].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}

/** The FNV prime of 64 bits without its bit 40. */
const PRIME_LOW = 0x1b3;
