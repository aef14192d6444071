/**
 * The stores cannot run as requested, because of a folder, a missing program or another owner. The message names
 * the fix.
 */
export class StoresError extends Error {}
