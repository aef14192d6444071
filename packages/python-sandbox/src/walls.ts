export type EngineName = 'native' | 'pyodide';

/** Something that contained code must not be able to do, attempted from the inside at every start. */
export type WallCheck = {
  /** For example `read outside files`. */
  readonly name: string;
  /** The attempt failed, as it must. */
  readonly ok: boolean;
  /** The engine is offered only if `ok`. A setting may waive the check that only namespaces can pass. */
  readonly required: boolean;
  /** What happened on the attempt. */
  readonly detail: string;
};

/** Outcome of all checks of one engine on this machine. */
export type SelfTestReport = {
  readonly engine: EngineName;
  /** Nothing is missing and every required check passed. */
  readonly ok: boolean;
  /** What the machine lacks to start the engine at all; null if it could start. */
  readonly missing: string | null;
  /** Each process has its own user, network and process namespace. */
  readonly namespaces: boolean;
  readonly walls: readonly WallCheck[];
  /** Configuration that could not be honoured, although the engine runs. */
  readonly remarks: readonly string[];
};

/** Engine and modules in use, or why there are none. */
export type SandboxAvailability =
  | { readonly available: true; readonly engine: EngineName; readonly modules: readonly string[] }
  | { readonly available: false; readonly reason: string };

/** Report of these checks, or of what is missing to run them. */
export function wallReport(
  engine: EngineName,
  namespaces: boolean,
  walls: readonly WallCheck[],
  missing: string | null = null,
): SelfTestReport {
  const ok = missing === null && walls.every((wall) => wall.ok || !wall.required);
  return { engine, ok, missing, namespaces, walls, remarks: [] };
}
