import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** How contained processes are started on this machine. */
export type Launcher = {
  /** Each process has its own user, network and process namespace, and dies with its parent. */
  readonly namespaces: boolean;
  /** Program and arguments that run `command` contained. */
  wrap(command: readonly string[]): { readonly file: string; readonly args: readonly string[] };
};

const NAMESPACES = ['unshare', '-Urnp', '-f', '--kill-child', '--'];
/** Kills the process even when ours is killed in the middle of a job and cannot clean up. */
const WITH_PARENT = ['setpriv', '--pdeathsig', 'KILL', '--'];
/** Processor seconds, far more than a job gets: a backstop for systems without {@link WITH_PARENT}. */
const CPU_SECONDS = 120;
/** An empty environment and no core dumps, with the tools that every Unix has. */
const SHELL = ['/bin/sh', '-c', `ulimit -c 0; ulimit -t ${CPU_SECONDS}; exec env -i "$@"`, 'sh'];
const PROBE_TIMEOUT_MS = 5_000;

/**
 * Probes what this machine allows, most contained first. `namespaces: 'off'` treats it as a machine without namespaces.
 */
export async function probeLauncher(namespaces: 'auto' | 'off'): Promise<Launcher> {
  if (process.platform === 'win32') return launcher([], false);
  const candidates = [
    launcher([...SHELL, ...WITH_PARENT, ...NAMESPACES], true),
    launcher([...SHELL, ...NAMESPACES], true),
    launcher([...SHELL, ...WITH_PARENT], false),
  ].filter((candidate) => namespaces === 'auto' || !candidate.namespaces);
  for (const candidate of candidates) if (await runs(candidate.wrap(['/bin/true']))) return candidate;
  return launcher(SHELL, false);
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

async function runs({ file, args }: ReturnType<Launcher['wrap']>): Promise<boolean> {
  const child = spawn(file, args, { env: {}, stdio: 'ignore', timeout: PROBE_TIMEOUT_MS });
  try {
    const [code] = (await once(child, 'exit')) as [number | null];
    return code === 0;
  } catch {
    return false;
  }
}
