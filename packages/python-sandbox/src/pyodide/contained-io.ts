/**
 * I/O between a contained process and its supervisor: plain pipes, read and written synchronously. Not Node's IPC,
 * whose frames have no length limit and can control the parent.
 */
import { readSync, writeSync } from 'node:fs';
import type { JobHeader } from '../warm-process.ts';

const STDIN = 0;
const STDOUT = 1;
const NEWLINE = 0x0a;

/** Configuration from the supervisor: JSON in the only argument. */
export function containedConfig<T>(): T {
  return JSON.parse(process.argv[2] ?? '{}') as T;
}

/** Blocks until all bytes are in the pipe. */
export function writeFully(bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) written += writeSync(STDOUT, bytes, written);
}

/** Sends a message. `text` must be free of line breaks, as JSON is. */
export function writeLine(text: string): void {
  writeFully(Buffer.from(`${text}\n`));
}

/** Blocks until a job arrives; exits the process when the supervisor is gone. */
export function readJob(): { code: string; dataJson: string; optionsJson: string } {
  const header = JSON.parse(readHeaderLine()) as JobHeader;
  const code = readExactly(header.codeBytes).toString();
  const dataJson = readExactly(header.dataBytes).toString();
  return { code, dataJson, optionsJson: JSON.stringify(header.options) };
}

function readHeaderLine(): string {
  const bytes: number[] = [];
  for (;;) {
    const [byte] = readExactly(1);
    if (byte === undefined || byte === NEWLINE) return Buffer.from(bytes).toString();
    bytes.push(byte);
  }
}

function readExactly(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let read = 0; read < length;) {
    const count = readSync(STDIN, bytes, read, length - read, null);
    if (count === 0) process.exit(0);
    read += count;
  }
  return bytes;
}
