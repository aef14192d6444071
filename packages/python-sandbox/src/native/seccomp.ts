/**
 * Filters of system calls, as programs of the kernel's classic BPF. The first is a list of what is allowed, since a list of
 * what is not ages with each kernel; what is not on it does not exist (ENOSYS), which is what libraries are ready for.
 */
import { systemCallsOf } from './system-calls.ts';
import type { Arch } from './system-calls.ts';

/** One instruction: `jt` and `jf` say how many to skip when a comparison holds or not. */
type Instruction = { readonly code: number; readonly jt?: number; readonly jf?: number; readonly k: number };

/** `BPF_LD | BPF_W | BPF_ABS`, `BPF_JMP | BPF_JEQ | BPF_K`, `BPF_JMP | BPF_JSET | BPF_K`, `BPF_RET | BPF_K`. */
const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_SET = 0x45;
const RETURN = 0x06;

const ALLOW = 0x7fff_0000;
const KILL_PROCESS = 0x8000_0000;
const ENOSYS = 38;
const REFUSE = 0x0005_0000 + ENOSYS;

/** Places in `struct seccomp_data`; of arguments the lower half, both processors being little-endian. */
const NUMBER_AT = 0;
const ARCH_AT = 4;
const FIRST_ARGUMENT_AT = 16;
const SECOND_ARGUMENT_AT = 24;

const AUDIT_ARCH: Readonly<Record<Arch, number>> = { x64: 0xc000_003e, arm64: 0xc000_00b7 };
const CLONE_THREAD = 0x0001_0000;
/** `TCGETS`, by which Python asks whether a file is a terminal, and `FIOCLEX`. */
const IOCTL_REQUESTS = [0x5401, 0x5451];

const load = (k: number): Instruction => ({ code: LOAD, k });
const end = (k: number): Instruction => ({ code: RETURN, k });
/** Runs `then` when the number of the call is `k`; `then` must end the program. */
const onCall = (k: number, then: readonly Instruction[]): readonly Instruction[] => [
  { code: JUMP_IF_EQUAL, jf: then.length, k },
  ...then,
];

/** Another processor's numbers, as an emulated program would use, mean other calls. */
const onlyFor = (arch: Arch): readonly Instruction[] => [
  load(ARCH_AT),
  { code: JUMP_IF_EQUAL, jt: 1, k: AUDIT_ARCH[arch] },
  end(KILL_PROCESS),
  load(NUMBER_AT),
];

/** What a contained interpreter may ask of the kernel from its start. */
export function containingFilter(arch: Arch): Buffer {
  const { allowed, untilReady, clone, ioctl } = systemCallsOf(arch);
  return assemble([
    ...onlyFor(arch),
    ...[...allowed, ...untilReady].flatMap((number) => onCall(number, [end(ALLOW)])),
    ...onCall(clone, [
      load(FIRST_ARGUMENT_AT),
      { code: JUMP_IF_SET, jf: 1, k: CLONE_THREAD },
      end(ALLOW),
      end(REFUSE),
    ]),
    ...onCall(ioctl, [
      load(SECOND_ARGUMENT_AT),
      ...IOCTL_REQUESTS.flatMap((request) => onCall(request, [end(ALLOW)])),
      end(REFUSE),
    ]),
    end(REFUSE),
  ]);
}

/** Takes from a running interpreter what only its start needed. The kernel heeds both filters. */
export function readyFilter(arch: Arch): Buffer {
  return assemble([
    ...onlyFor(arch),
    ...systemCallsOf(arch).untilReady.flatMap((number) => onCall(number, [end(REFUSE)])),
    end(ALLOW),
  ]);
}

/** An array of `struct sock_filter`. */
function assemble(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, { code, jt = 0, jf = 0, k }] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(jt, index * 8 + 2);
    bytes.writeUInt8(jf, index * 8 + 3);
    bytes.writeUInt32LE(k, index * 8 + 4);
  }
  return bytes;
}
