import type { EngineName } from '../../src/walls.ts';

/**
 * What would show that a technique worked: the secret in its answer, a file in the canaries' folder, a connection to
 * the listener, a process that goes on, an effect on a later run, a host that took it for something else, or more time,
 * memory or text than is allowed.
 */
export type Marker = 'secret' | 'file' | 'connection' | 'process' | 'state' | 'host' | 'excess';

/** How a run ended, by the text of its error. */
export type Ending =
  | 'answered'
  | 'refused'
  | 'out of memory'
  | 'stopped for time'
  | 'stopped for memory'
  | 'crashed'
  | 'unreadable';

/**
 * One way to attack: Python in which `{…}` stands for a canary, after {@link PRELUDE}. It may want nothing but its
 * canaries, since it is tried without walls, too.
 */
export type Technique = {
  readonly name: string;
  readonly family: string;
  readonly script: string;
  readonly marker: Marker;
  /** How it may end on each engine; where nobody waits for a race it is one way. */
  readonly endings: Readonly<Record<EngineName, readonly Ending[]>>;
};

/** What a technique differs in from the others of its family. Absent endings are `refused`. */
export type Attempt = {
  readonly script: string;
  readonly marker?: Marker;
  readonly endings?: readonly Ending[];
  /** Where the engines differ. */
  readonly native?: readonly Ending[];
  readonly pyodide?: readonly Ending[];
};

/** Gets past every import list, by a module inside an allowed module. */
export const PRELUDE = `import statistics
sys = statistics.sys
builtins = sys.modules['builtins']
load = builtins.__import__
`;

/** Refuses by itself where numbers of system calls mean something else. */
export const X64_ONLY = `if load('os').uname().machine != 'x86_64': raise OSError('another processor')`;

/** The techniques of one family, by name. */
export function family(
  name: string,
  usual: { readonly marker: Marker; readonly endings?: readonly Ending[] },
  attempts: Readonly<Record<string, Attempt>>,
): readonly Technique[] {
  return Object.entries(attempts).map(([title, { script, marker, ...own }]) => {
    const endings = own.endings ?? usual.endings ?? ['refused'];
    return {
      name: title,
      family: name,
      script: script.trim(),
      marker: marker ?? usual.marker,
      endings: { native: own.native ?? endings, pyodide: own.pyodide ?? endings },
    };
  });
}
