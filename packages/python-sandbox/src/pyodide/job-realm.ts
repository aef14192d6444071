import { openRealm } from './realm.ts';
import type { Realm, RealmAssets, RealmStart, RealmWheels } from './realm.ts';
import { readSnapshotSource } from './snapshot-file.ts';

/**
 * A realm from the snapshot, or, where that does not restore (another build of V8, a file cut short after the
 * supervisor's check), a cold one: slower but the same.
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
