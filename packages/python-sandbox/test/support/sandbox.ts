import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPythonSandbox } from '../../src/python-sandbox.ts';
import type { PythonResult } from '../../src/python-result.ts';
import type { PythonSandbox, PythonSandboxOptions } from '../../src/python-sandbox.ts';

/**
 * Kept between test files and runs, since a snapshot takes seconds to make. Its name in there depends on the sources.
 */
export const sandboxCacheDir = join(tmpdir(), 'qpilot-sandbox-cache');

/** The first start makes the snapshot, and on a slow or busy machine all takes its time; few tests are about that. */
export const PATIENCE = { queueWaitMs: 120_000, startTimeoutMs: 120_000, timeoutMs: 60_000 };

/** A real sandbox, of the Pyodide engine unless another is named; the caller closes it. */
export function openSandbox(options: Partial<PythonSandboxOptions> = {}): PythonSandbox {
  return createPythonSandbox({
    cacheDir: sandboxCacheDir,
    // The tests run as well where no user namespaces are; what differs there is tested apart.
    allowWithoutNamespaces: true,
    engine: 'pyodide',
    log: { info: () => {}, warn: () => {} },
    ...options,
    limits: { ...PATIENCE, ...options.limits },
  });
}

/** One run by one user, with `data` as a value. */
export function runPython(sandbox: PythonSandbox, code: string, data: unknown = {}): Promise<PythonResult> {
  return sandbox.run(code, JSON.stringify(data), { signal: new AbortController().signal, user: 'ada' });
}
