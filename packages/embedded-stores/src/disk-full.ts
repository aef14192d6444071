const DISK_FULL =
  /ENOSPC|EDQUOT|No space left on device|Disk quota exceeded|database or disk is full|disk of .* is full/;

/**
 * Whether an error, or what caused it, says that a disk is full or a quota used up, whichever part reports it: Node, SQLite, a
 * program that was run, the embedded MongoDB.
 */
export function isDiskFull(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { message, stderr, cause } = error as Readonly<Record<string, unknown>>;
  return (
    [message, stderr].some((text) => typeof text === 'string' && DISK_FULL.test(text)) || isDiskFull(cause)
  );
}
