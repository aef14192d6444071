/**
 * Ids that say which process made them, so that others on the same machine can see whether it is gone. They are UUIDs of
 * version 8: 48 bits of the machine, 26 of chance, 24 of the process id, 24 of the time the process started.
 */
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

const MACHINE_BYTES = 6;
const PID_AT = 10;
const START_AT = 13;

/** An id of its own for each call. */
export function newProcessId(): string {
  const id = Buffer.alloc(16);
  machine().copy(id, 0);
  randomBytes(4).copy(id, MACHINE_BYTES);
  id.writeUIntBE(process.pid, PID_AT, 3);
  shortHash(stateOf(process.pid)?.start ?? '', 3).copy(id, START_AT);
  id[6] = (id.readUInt8(6) & 0x0f) | 0x80; // the version
  id[8] = (id.readUInt8(8) & 0x3f) | 0x80; // the variant
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * Whether the process that made the id is certainly gone: it ran on this machine, and no process has its number, or
 * another one that started at another time. False for ids of other machines and containers, and of any other kind.
 */
export function isProcessGone(processId: string): boolean {
  const id = Buffer.from(processId.replaceAll('-', ''), 'hex');
  if (id.length !== 16 || id.readUInt8(6) >> 4 !== 8) return false;
  if (!id.subarray(0, MACHINE_BYTES).equals(machine())) return false;
  const state = stateOf(id.readUIntBE(PID_AT, 3));
  return state === null || !shortHash(state.start, 3).equals(id.subarray(START_AT));
}

let known: Buffer | undefined;

/** Processes that see each other's numbers have the same: one boot of one machine, one container. */
function machine(): Buffer {
  known ??= shortHash(
    process.platform === 'linux'
      ? `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')} ${readlinkSync('/proc/self/ns/pid')}`
      : hostname(),
    MACHINE_BYTES,
  );
  return known;
}

/** When a process started; null if there is none. Only Linux says when. */
function stateOf(pid: number): { readonly start: string } | null {
  if (process.platform !== 'linux') return isThere(pid) ? { start: '' } : null;
  try {
    // After the name, which may contain anything: the state is the 1st field, the start time the 20th.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return /[ZX]/.test(fields[0] ?? '') ? null : { start: fields[19] ?? '' };
  } catch {
    return null;
  }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'; // another user's
  }
}

const shortHash = (text: string, bytes: number): Buffer =>
  createHash('sha256').update(text).digest().subarray(0, bytes);
