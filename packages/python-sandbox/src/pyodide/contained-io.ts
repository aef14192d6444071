/**
 * How a contained process talks with its supervisor: plain pipes, read and written synchronously. Node's own IPC is not
 * used, since its frames have no length limit and some of them drive the parent.
 */
import { readSync, writeSync } from 'node:fs';
import type { JobHeader } from '../warm-process.ts';

const STDIN = 0;
const STDOUT = 1;
const NEWLINE = 0x0a;

/** The process's configuration, JSON in its only argument; made by the supervisor. */
export function containedConfig<T>(): T {
  return JSON.parse(process.argv[2] ?? '{}') as T;
}

/** Blocks until everything is in the pipe. */
export function writeFully(bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) written += writeSync(STDOUT, bytes, written);
}

/** One message to the supervisor. `text` must hold no line break, which JSON never does. */
export function writeLine(text: string): void {
  writeFully(Buffer.from(`${text}\n`));
}

/** Blocks until the supervisor hands over a job; the process ends when the supervisor has gone. */
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
