import { openRealm } from './realm.ts';
import type { Realm, RealmAssets, RealmStart, RealmWheels } from './realm.ts';
import { readSnapshotSource } from './snapshot-file.ts';

/**
 * Opens a realm from the snapshot, or a cold one if the snapshot does not restore (another build of V8, a file
 * truncated after the supervisor's check).
 */
export async function openJobRealm(config: {
  readonly assets: RealmAssets;
  readonly snapshotPath: string;
  readonly wasmPages: number;
  readonly wheels: RealmWheels | null;
}): Promise<Realm> {
  const { assets, snapshotPath, wasmPages, wheels } = config;
  const start: RealmStart = { wasmPages, ...(wheels && { wheels }) };
  try {
    return await openRealm(assets, { ...start, snapshot: readSnapshotSource(snapshotPath) });
  } catch {
    return await openRealm(assets, start);
  }
}
