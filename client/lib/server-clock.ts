/**
 * The server's time, which times of values are compared with: the clock of a reader's machine may be wrong, and a
 * browser need not know.
 */
let aheadMs = 0;

/** Takes over the time that the server stated in an answer which has just arrived. */
export function setServerTime(iso: string): void {
  const ms = Date.parse(iso);
  if (Number.isFinite(ms)) aheadMs = ms - Date.now();
}

/** Now, by the server's clock; by the browser's until the server has stated its own. */
export const serverNowMs = (): number => Date.now() + aheadMs;
