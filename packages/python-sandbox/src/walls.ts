/** The engines there are. */
export type EngineName = 'native' | 'pyodide';

/** One thing that contained code must not be able to do, tried at start from the inside. */
export type WallCheck = {
  /** For example `read outside files`. */
  readonly name: string;
  /** True when the attempt failed, as it must. */
  readonly ok: boolean;
  /** True when the engine is not offered unless `ok`; a check only namespaces can pass may be waived by a setting. */
  readonly required: boolean;
  /** What happened on the attempt. */
  readonly detail: string;
};

/** Outcome of all {@link WallCheck}s of one engine on this machine. */
export type SelfTestReport = {
  readonly engine: EngineName;
  /** True when nothing is missing and every required check holds. */
  readonly ok: boolean;
  /** What this machine lacks for the engine to be started at all; null when it could be. */
  readonly missing: string | null;
  /** True when each process has its own user, network and process namespace. */
  readonly namespaces: boolean;
  readonly walls: readonly WallCheck[];
  /** What is not as its operator wanted it, though it can run. */
  readonly remarks: readonly string[];
};

/** Whether analyses can be offered on this machine, by which engine and with which modules; if not, why. */
export type SandboxAvailability =
  | { readonly available: true; readonly engine: EngineName; readonly modules: readonly string[] }
  | { readonly available: false; readonly reason: string };

/** A report of these checks, or of what is missing for them. */
export function wallReport(
  engine: EngineName,
  namespaces: boolean,
  walls: readonly WallCheck[],
  missing: string | null = null,
): SelfTestReport {
  const ok = missing === null && walls.every((wall) => wall.ok || !wall.required);
  return { engine, ok, missing, namespaces, walls, remarks: [] };
}
