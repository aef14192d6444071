/** A contained process that boots a realm cold and writes the bytes of a snapshot file to its standard output. */
import { containedConfig, writeFully, writeLine } from './contained-io.ts';
import { openRealm } from './realm.ts';
import type { RealmAssets } from './realm.ts';
import { packSnapshot } from './snapshot-file.ts';

/** Configuration of a snapshot process. */
export type SnapshotConfig = { readonly assets: RealmAssets; readonly wasmPages: number };

const { assets, wasmPages } = containedConfig<SnapshotConfig>();
const realm = await openRealm(assets, { wasmPages, makesSnapshot: true });
const file = packSnapshot(realm.takeSnapshot(), realm.codeCaches());
writeLine(JSON.stringify({ bytes: file.length }));
writeFully(file);
process.exit(0);
