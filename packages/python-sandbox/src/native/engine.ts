/**
 * The machine's own Python with numpy and the like, in single-use Linux containers. Knows how to start a container and
 * how to talk to it; the pool decides when.
 */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { startContained } from '../contained-process.ts';
import type { PythonEngine, WarmProcess } from '../engine.ts';
import { limitsWith } from '../limits.ts';
import type { SandboxLimits } from '../limits.ts';
import { STANDARD_MODULES, importPolicyJson } from '../python/modules.ts';
import { attemptsSchema, tryWalls, unfinished } from '../wall-test.ts';
import type { Attempts, Canaries } from '../wall-test.ts';
import { wallReport } from '../walls.ts';
import type { SelfTestReport } from '../walls.ts';
import { toWarmProcess } from '../warm-process.ts';
import { containedPython, findBubblewrap, outsideUser } from './container.ts';
import type { Container } from './container.ts';
import { findPython } from './python-install.ts';
import { containingFilter, readyFilter } from './seccomp.ts';
import { systemCallsOf } from './system-calls.ts';
import type { Arch } from './system-calls.ts';

/** Options of the native engine. */
export type NativeEngineOptions = {
  readonly limits: SandboxLimits;
  /** Path of an interpreter; null to search the usual places. */
  readonly python: string | null;
};

const replySchema = z.object({ output: z.string(), error: z.string().nullable() });

const MIB = 1024 * 1024;
const FOLDER_BYTES = 16 * MIB;
const FILE_BYTES = 8 * MIB;
const OPEN_FILES = 64;
const THREADS = 16;

/** Outcome of `prepare`. */
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
  throw new Error(`it needs Linux on x64 or arm64; this is ${platform} on ${arch}`);
}

/** One program text, since none of our files exist inside the container. */
async function programText(): Promise<string> {
  const files = ['../python/runner.py', './main.py'];
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, import.meta.url), 'utf8')));
  return texts.join('\n');
}

/** Runs the attempts as an ordinary analysis, so that they meet the same container. */
async function testNativeWalls(start: () => WarmProcess, timeoutMs: number): Promise<SelfTestReport> {
  const walls = await tryWalls(
    (canaries) => attemptIn(start(), canaries, timeoutMs),
    () => true,
  ).catch((error: unknown) => unfinished(error instanceof Error ? error.message : String(error)));
  return wallReport('native', true, walls);
}

async function attemptIn(warm: WarmProcess, canaries: Canaries, timeoutMs: number): Promise<Attempts> {
  const timer = setTimeout(() => warm.kill(), timeoutMs);
  try {
    await warm.ready;
    const code = await readFile(new URL('./attempts.py', import.meta.url), 'utf8');
    const reply = replySchema.parse(
      JSON.parse(await warm.run({ code, dataJson: JSON.stringify(canaries) }, () => {})),
    );
    if (reply.error !== null) throw new Error(reply.error);
    return attemptsSchema.parse(JSON.parse(reply.output));
  } finally {
    clearTimeout(timer);
    warm.kill();
  }
}
