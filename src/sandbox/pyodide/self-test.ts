import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { ContainedProcess } from '../contained-process.ts';
import type { SelfTestReport, WallCheck } from '../python-sandbox.ts';
import type { SelfTestConfig } from './self-test-process.ts';

/** What a self-test needs. */
export type WallTest = {
  readonly namespaces: boolean;
  readonly requireNamespaces: boolean;
  readonly timeoutMs: number;
  readonly start: (
    config: Omit<SelfTestConfig, 'assets' | 'snapshotPath' | 'wasmPages' | 'replyBytes'>,
  ) => ContainedProcess;
};

const MAX_REPORT_BYTES = 64 * 1024;
const CANARY = 'canary-of-the-self-test';
/** The one attempt that Node 24 cannot refuse by itself. */
const NEEDS_NAMESPACES = 'connect';

const attemptsSchema = z.record(z.string(), z.object({ failed: z.boolean(), detail: z.string() }));

/** Past the Python layer by a known way, so that the sealed realm itself is tried. */
const PAST_THE_IMPORT_LIST = `
importer = next(c for c in object.__subclasses__() if c.__name__ == 'BuiltinImporter')
load = importer.load_module
`;

/** Tries to reach a file, a path and a listener of its own from inside a contained process. Cleans up after itself. */
export async function testWalls(test: WallTest): Promise<SelfTestReport> {
  const folder = await mkdtemp(join(tmpdir(), 'qpilot-walls-'));
  const canaryPath = join(folder, 'canary');
  const markerPath = join(folder, 'marker');
  let connections = 0;
  const listener = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  let contained: ContainedProcess | undefined;
  const timer = setTimeout(() => contained?.kill(), test.timeoutMs);
  try {
    await writeFile(canaryPath, CANARY);
    await once(listener.listen(0, '127.0.0.1'), 'listening');
    const { port } = listener.address() as AddressInfo;
    contained = test.start({
      canaryPath,
      markerPath,
      port,
      pythonAttempts: pythonAttempts(canaryPath, port),
    });
    const attempts = attemptsSchema.parse(JSON.parse(await contained.output.line(MAX_REPORT_BYTES)));
    const walls = Object.entries(attempts).map(([name, { failed, detail }]): WallCheck => {
      const isRequired = name !== NEEDS_NAMESPACES || test.requireNamespaces;
      const wasReached = name === NEEDS_NAMESPACES && connections > 0;
      return { name, ok: failed && !wasReached && !detail.includes(CANARY), required: isRequired, detail };
    });
    walls.push({ name: 'leave no trace', ok: !existsSync(markerPath), required: true, detail: '' });
    return toReport(walls, test.namespaces);
  } catch (error) {
    const stderr = contained && (contained.kill(), (await contained.exited).stderr.trim());
    const detail = `the self-test did not finish: ${stderr || String(error)}`;
    return toReport([{ name: 'self-test', ok: false, required: true, detail }], test.namespaces);
  } finally {
    clearTimeout(timer);
    contained?.kill();
    listener.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function toReport(walls: readonly WallCheck[], namespaces: boolean): SelfTestReport {
  return { engine: 'pyodide', ok: walls.every(({ ok, required }) => ok || !required), namespaces, walls };
}

/** Each must end in an error. */
function pythonAttempts(canaryPath: string, port: number): Record<string, string> {
  return {
    'Python: read outside files': `import io\nprint(io.FileIO(${JSON.stringify(canaryPath)}).read())`,
    'Python: write files': `import io\nio.FileIO('/home/pyodide/file', 'w').write(b'x')`,
    'Python: start programs': `${PAST_THE_IMPORT_LIST}if load('posix').system('true'): raise OSError('refused')`,
    'Python: connect': `${PAST_THE_IMPORT_LIST}load('_socket').socket().connect(('127.0.0.1', ${port}))`,
    'Python: run JavaScript': `${PAST_THE_IMPORT_LIST}print(load('_pyodide_core').to_js([1]).constructor.constructor('return 1')())`,
  };
}
