import { closeSync, openSync, readSync } from 'node:fs';
import { sha256Of } from './sha256.ts';

/** Layout of a snapshot file, for starting a realm. */
export type RealmSource = {
  readonly path: string;
  readonly snapshotAt: number;
  readonly snapshotBytes: number;
  /** V8 code caches of `pyodide.asm.mjs` and `pyodide.js`. */
  readonly codeCaches: readonly Buffer[];
};

/** Parts in order: the memory snapshot, then the code caches. */
type Header = { readonly lengths: readonly number[]; readonly sha256: string };

/** JSON, padded to a fixed length so that it can be read first. */
const HEADER_BYTES = 512;

/** Bytes of a snapshot file: a header with lengths and checksum, then the parts. */
export function packSnapshot(snapshot: Uint8Array, codeCaches: readonly Buffer[]): Buffer {
  const parts = [snapshot, ...codeCaches];
  const header: Header = { lengths: parts.map((part) => part.byteLength), sha256: sha256Of(...parts) };
  const padded = Buffer.alloc(HEADER_BYTES, ' ');
  padded.write(JSON.stringify(header));
  return Buffer.concat([padded, ...parts]);
}

/** Whether `bytes` is exactly what {@link packSnapshot} produced. */
export function isIntactSnapshot(bytes: Buffer): boolean {
  const header = parseHeader(bytes.subarray(0, HEADER_BYTES));
  return header !== undefined && sha256Of(bytes.subarray(HEADER_BYTES)) === header.sha256;
}

/** Reads the layout of a file that the supervisor has verified. Throws if it is not a snapshot file. */
export function readSnapshotSource(path: string): RealmSource {
  const file = openSync(path, 'r');
  try {
    const readAt = (position: number, length: number) => {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(file, bytes, 0, length, position));
    };
    const header = parseHeader(readAt(0, HEADER_BYTES));
    if (!header) throw new Error(`${path} is not a snapshot file`);
    const [snapshotBytes = 0, ...cacheLengths] = header.lengths;
    let at = HEADER_BYTES + snapshotBytes;
    const codeCaches = cacheLengths.map((length) => readAt((at += length) - length, length));
    return { path, snapshotAt: HEADER_BYTES, snapshotBytes, codeCaches };
  } finally {
    closeSync(file);
  }
}

function parseHeader(bytes: Buffer): Header | undefined {
  try {
    const header = JSON.parse(bytes.toString('latin1')) as Header;
    return Array.isArray(header.lengths) && header.lengths.every(Number.isSafeInteger) ? header : undefined;
  } catch {
    return undefined;
  }
}
