import { startContained } from '../contained-process.ts';
import type { ContainedProcess } from '../contained-process.ts';
import type { Launcher } from '../launcher.ts';

/** A script to run in a Node without rights, and the little it may do. */
export type NodeCommand = {
  readonly launcher: Launcher;
  /** Absolute path of a script, in the folder that it may read. */
  readonly script: string;
  /** Becomes the only argument, as JSON. */
  readonly config: unknown;
  /** The only folder it may read; a real path. */
  readonly readable: string;
  /** An empty folder. */
  readonly cwd: string;
  readonly wasmPages: number;
};

const OLD_SPACE_MB = 128;

/** Starts a Node process that may read the folder it was told and nothing else; the caller kills it. */
export function startNode(command: NodeCommand): ContainedProcess {
  const { file, args } = command.launcher.wrap([process.execPath, ...nodeArguments(command)]);
  return startContained({ file, args, cwd: command.cwd });
}

/** No permission to write, to start programs or threads, or to load native code is given, so none is there. */
function nodeArguments({ script, config, readable, wasmPages }: NodeCommand): string[] {
  return [
    '--permission',
    `--allow-fs-read=${readable}/`,
    '--disallow-code-generation-from-strings',
    `--wasm-max-mem-pages=${wasmPages}`,
    `--max-old-space-size=${OLD_SPACE_MB}`,
    '--no-warnings',
    script,
    JSON.stringify(config),
  ];
}
