/** The public surface of this package; see README.md. */
export { residentBytes } from './process-tree.ts';
export { fetchWheels, WheelsError } from './pyodide/fetch-wheels.ts';
export type { PythonResult } from './python-result.ts';
export {
  createPythonSandbox,
  type PythonSandbox,
  type PythonSandboxOptions,
  type RunOptions,
} from './python-sandbox.ts';
export type { SandboxLoad } from './supervisor-protocol.ts';
export type { EngineName, SandboxAvailability, SelfTestReport, WallCheck } from './walls.ts';
