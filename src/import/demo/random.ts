/** Chance that repeats itself: the same labels give the same numbers on every machine. */

/** Called for every character of every label. */
const { imul } = Math;

/** A uniform number in [0, 1) that belongs to `labels`. FNV-1a over the text, then one step of mulberry32. */
export function uniform(...labels: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  const text = labels.join('/');
  for (let index = 0; index < text.length; index += 1) {
    hash = imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  let state = (hash + 0x6d2b79f5) | 0;
  state = imul(state ^ (state >>> 15), state | 1);
  state ^= state + imul(state ^ (state >>> 7), state | 61);
  return ((state ^ (state >>> 14)) >>> 0) / 2 ** 32;
}

/** A uniform number between `low` and `high`. */
export const between = (low: number, high: number, ...labels: readonly (string | number)[]): number =>
  low + (high - low) * uniform(...labels);

/** A standard normal number (Box–Muller), cut at two standard deviations so that no value surprises physics. */
export function noise(...labels: readonly (string | number)[]): number {
  const radius = Math.sqrt(-2 * Math.log(1 - uniform(...labels, 'radius')));
  const normal = radius * Math.cos(2 * Math.PI * uniform(...labels, 'angle'));
  return Math.max(-2, Math.min(2, normal));
}
