import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** How contained processes are started on this machine. */
export type Launcher = {
  /** True when each has its own user, network and process namespace, and dies with its parent. */
  readonly namespaces: boolean;
  /** The program to spawn, and its arguments, so that `command` runs contained. */
  wrap(command: readonly string[]): { readonly file: string; readonly args: readonly string[] };
};

const NAMESPACES = ['unshare', '-Urnp', '-f', '--kill-child', '--'];
/** Also kills the process when this one is killed in the middle of a job and can tidy up nothing. */
const WITH_PARENT = ['setpriv', '--pdeathsig', 'KILL', '--'];
/** A backstop for systems without {@link WITH_PARENT}: processor seconds, far more than a job gets. */
const CPU_SECONDS = 120;
/** An empty environment and no core dumps, with the tools that every Unix has. */
const SHELL = ['/bin/sh', '-c', `ulimit -c 0; ulimit -t ${CPU_SECONDS}; exec env -i "$@"`, 'sh'];
const PROBE_TIMEOUT_MS = 5_000;

/** Finds out by trying what this machine allows, most contained first. */
export async function probeLauncher(): Promise<Launcher> {
  if (process.platform === 'linux') {
    for (const prefix of [
      [...SHELL, ...WITH_PARENT, ...NAMESPACES],
      [...SHELL, ...NAMESPACES],
    ]) {
      if (await runs([...prefix, '/bin/true'])) return launcher(prefix, true);
    }
  }
  return plainLauncher();
}

/** A launcher without namespaces, for systems that know or allow none. */
export function plainLauncher(): Launcher {
  return launcher(process.platform === 'win32' ? [] : SHELL, false);
}

function launcher(prefix: readonly string[], namespaces: boolean): Launcher {
  return {
    namespaces,
    wrap: (command) => {
      const [file = process.execPath, ...args] = [...prefix, ...command];
      return { file, args };
    },
  };
}

async function runs([file = '', ...args]: readonly string[]): Promise<boolean> {
  const child = spawn(file, args, { env: {}, stdio: 'ignore', timeout: PROBE_TIMEOUT_MS });
  try {
    const [code] = (await once(child, 'exit')) as [number | null];
    return code === 0;
  } catch {
    return false;
  }
}
