import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe } from '@jest/globals';

/**
 * Folder with real device snapshots and recorded model streams; `QPILOT_SHARED` overrides the sibling folder
 * `../shared`.
 */
export const sharedFolder = resolve(process.env['QPILOT_SHARED'] ?? '../shared');

/** True when the real inputs are here. Tests that need them use {@link describeWithSharedData}. */
export const hasSharedData = existsSync(resolve(sharedFolder, 'data'));

/** Absolute path of one shared input, for example `sharedPath('data/ibm-backends/props_manila.json')`. */
export const sharedPath = (relative: string): string => resolve(sharedFolder, relative);

/** `describe` that is skipped, and counted as skipped, where the real inputs are missing. */
export function describeWithSharedData(name: string, body: () => void): void {
  if (hasSharedData) describe(name, body);
  else describe.skip(`${name} (skipped: no ${sharedFolder}/data; set QPILOT_SHARED)`, body);
}
