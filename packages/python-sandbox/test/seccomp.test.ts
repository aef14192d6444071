import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { containingFilter, readyFilter } from '../src/native/seccomp.ts';
import { ALLOWED, systemCallsOf } from '../src/native/system-calls.ts';

const ARCH = { x64: 0xc000_003e, arm64: 0xc000_00b7 } as const;
const [ALLOW, ENOSYS, KILL] = [0x7fff_0000, 0x0005_0026, 0x8000_0000];

/** Runs a filter as the kernel does, on a system call of `arch` with these arguments. */
function judge(filter: Buffer, arch: number, number: number, args: readonly number[] = []): number {
  const data = new Map([[0, number], [4, arch], ...args.map((arg, i) => [16 + 8 * i, arg] as const)]);
  let accumulator = 0;
  for (let at = 0; at < filter.length;) {
    const code = filter.readUInt16LE(at);
    const k = filter.readUInt32LE(at + 4);
    const jump = (holds: boolean) => (at += 8 + 8 * filter.readUInt8(at + (holds ? 2 : 3)));
    if (code === 0x06) return k;
    if (code === 0x20) accumulator = data.get(k) ?? 0;
    if (code === 0x20) at += 8;
    else if (code === 0x15) jump(accumulator === k);
    else if (code === 0x45) jump((accumulator & k) !== 0);
    else throw new Error(`instruction ${code} at ${at} is not known`);
  }
  throw new Error('the filter has no end');
}

describe.each(['x64', 'arm64'] as const)('the filter of system calls on %s', (name) => {
  const filter = containingFilter(name);
  const arch = ARCH[name];
  const calls = systemCallsOf(name);

  test('allows what is on its list and nothing else', () => {
    const special = new Set([calls.clone, calls.ioctl]);
    const allowed = new Set([...calls.allowed, ...calls.untilReady]);
    for (let number = 0; number < 600; number++) {
      if (special.has(number)) continue;
      expect([number, judge(filter, arch, number)]).toEqual([number, allowed.has(number) ? ALLOW : ENOSYS]);
    }
  });

  test('lets threads be made but no processes', () => {
    expect(judge(filter, arch, calls.clone, [0x3d0f00])).toBe(ALLOW);
    expect(judge(filter, arch, calls.clone, [0x01200011])).toBe(ENOSYS);
  });

  test('lets no thread be made in a namespace of its own', () => {
    const namespaces = [0x0002_0000, ...[25, 26, 27, 28, 29, 30].map((bit) => 2 ** bit)];
    for (const flag of namespaces) {
      expect([flag, judge(filter, arch, calls.clone, [0x3d0f00 + flag])]).toEqual([flag, ENOSYS]);
    }
  });

  test('lets Python ask whether a file is a terminal, and type into none', () => {
    expect(judge(filter, arch, calls.ioctl, [0, 0x5401])).toBe(ALLOW);
    expect(judge(filter, arch, calls.ioctl, [0, 0x5412])).toBe(ENOSYS);
  });

  test('ends a process that uses the numbers of another processor', () => {
    expect(judge(filter, name === 'x64' ? 0x4000_0003 : 0x4000_0028, 0)).toBe(KILL);
  });

  test('takes programs away once the interpreter runs', () => {
    for (const number of calls.untilReady) expect(judge(readyFilter(name), arch, number)).toBe(ENOSYS);
    for (const number of calls.allowed) expect(judge(readyFilter(name), arch, number)).toBe(ALLOW);
  });
});

describe('the numbers of system calls', () => {
  for (const [place, arch, header] of [
    [0, 'x64', '/usr/include/x86_64-linux-gnu/asm/unistd_64.h'],
    [1, 'arm64', '/usr/include/asm-generic/unistd.h'],
  ] as const) {
    const here = existsSync(header) ? test : test.skip;
    here(`on ${arch} are those of the kernel's headers, where there are any`, () => {
      const text = readFileSync(header, 'utf8');
      const calls = systemCallsOf(arch);
      const ours = Object.entries(ALLOWED).map(([name, pair]) => [name, pair[place]] as const);
      const special = ['clone', 'ioctl', 'seccomp'].map((name) => [name, calls[name as 'clone']] as const);
      for (const [name, number] of [...ours, ...special]) {
        const found = new RegExp(
          `#define __NR(?:3264)?_${name === 'newfstatat' && arch === 'arm64' ? 'fstatat' : name}\\s+(\\d+)`,
        ).exec(text);
        expect([name, number]).toEqual([name, found ? Number(found[1]) : null]);
      }
    });
  }
});
