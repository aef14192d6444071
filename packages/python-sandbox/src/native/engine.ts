/**
 * The machine's own Python with numpy and its like, in single-use containers of Linux. Knows how such a container is
 * started and spoken with; must not know when: that is the pool's.
 */
import { readFile } from 'node:fs/promises';
import { startContained } from '../contained-process.ts';
import type { PythonEngine, WarmProcess } from '../engine.ts';
import { limitsWith } from '../limits.ts';
import type { SandboxLimits } from '../limits.ts';
import { STANDARD_MODULES, importPolicyJson } from '../python/modules.ts';
import { toWarmProcess } from '../warm-process.ts';
import { containedPython, findBubblewrap, outsideUser } from './container.ts';
import type { Container } from './container.ts';
import { findPython } from './python-install.ts';
import { containingFilter, readyFilter } from './seccomp.ts';
import { testNativeWalls } from './self-test.ts';
import { systemCallsOf } from './system-calls.ts';
import type { Arch } from './system-calls.ts';

/** What the engine is made of. */
export type NativeEngineOptions = {
  readonly limits: SandboxLimits;
  /** Path of an interpreter; null to look in the usual places. */
  readonly python: string | null;
};

const MIB = 1024 * 1024;
const FOLDER_BYTES = 16 * MIB;
const FILE_BYTES = 8 * MIB;
const OPEN_FILES = 64;
const THREADS = 16;

/** What `prepare` finds out. */
type Prepared = {
  readonly container: Container;
  readonly args: readonly string[];
  readonly modules: readonly string[];
  readonly limits: SandboxLimits;
};

/** The engine on this machine. Nothing runs until {@link PythonEngine.prepare}. */
export function createNativeEngine({ limits, python: given }: NativeEngineOptions): PythonEngine {
  let prepared: Prepared | undefined;

  async function prepare(): Promise<void> {
    const arch = supportedArch();
    const bubblewrap = findBubblewrap();
    const python = await findPython(given, outsideUser(), limits.startTimeoutMs);
    const modules = [...STANDARD_MODULES, ...python.libraries];
    const config = {
      path: python.path,
      policy: JSON.parse(importPolicyJson(python.libraries)) as unknown,
      threads: THREADS,
      openFiles: OPEN_FILES,
      fileBytes: FILE_BYTES,
      filter: readyFilter(arch).toString('hex'),
      seccomp: systemCallsOf(arch).seccomp,
      replyBytes: limits.replyBytes,
    };
    prepared = {
      container: { bubblewrap, python, folderBytes: FOLDER_BYTES, filter: containingFilter(arch) },
      args: ['-I', '-S', '-B', '-c', await programText(), JSON.stringify(config)],
      modules,
      limits: limitsWith(modules, limits),
    };
  }

  function preparedOrThrow(): Prepared {
    if (!prepared) throw new Error('prepare() of the native engine has not resolved yet');
    return prepared;
  }

  function start(): WarmProcess {
    const { container, args, limits: own } = preparedOrThrow();
    const contained = startContained(containedPython(container, args));
    return toWarmProcess(contained, {
      engine: 'native',
      limits: own,
      ownLimits: async () => {
        const startedWith = await contained.addressSpaceBytes();
        return {
          addressBytes: startedWith === 0 ? 0 : startedWith + own.memoryBytes,
          cpuSeconds: Math.ceil(own.timeoutMs / 1000),
        };
      },
    });
  }

  return {
    name: 'native',
    prepare,
    modules: () => preparedOrThrow().modules,
    remarks: () => [],
    start,
    selfTest: () => testNativeWalls(start, limits.startTimeoutMs),
  };
}

function supportedArch(): Arch {
  const { arch, platform } = process;
  if (platform === 'linux' && (arch === 'x64' || arch === 'arm64')) return arch;
  throw new Error(`it needs Linux on x64 or arm64, and this is ${platform} on ${arch}`);
}

/** One program, since no file of ours is inside. */
async function programText(): Promise<string> {
  const files = ['../python/runner.py', './main.py'];
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, import.meta.url), 'utf8')));
  return texts.join('\n');
}
