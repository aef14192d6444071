import type { ContainedProcess } from '../contained-process.ts';
import { CONNECT, attemptsSchema, tryWalls, unfinished } from '../wall-test.ts';
import { wallReport } from '../walls.ts';
import type { SelfTestReport } from '../walls.ts';
import type { JobConfig } from './job-process.ts';
import type { SelfTestConfig } from './self-test-process.ts';

/** Dependencies of a self-test. */
export type WallTest = {
  readonly namespaces: boolean;
  readonly requireNamespaces: boolean;
  readonly timeoutMs: number;
  readonly start: (config: Omit<SelfTestConfig, keyof JobConfig>) => ContainedProcess;
};

const MAX_REPORT_BYTES = 64 * 1024;

/** A known way around the import allow-list, so that the sealed realm itself is attacked. */
const PAST_THE_IMPORT_LIST = `
importer = next(c for c in object.__subclasses__() if c.__name__ == 'BuiltinImporter')
load = importer.load_module
`;

/** Tries to escape from a contained process. Connections are the one thing that Node 24 cannot deny by itself. */
export async function testWalls(test: WallTest): Promise<SelfTestReport> {
  let contained: ContainedProcess | undefined;
  const timer = setTimeout(() => contained?.kill(), test.timeoutMs);
  try {
    const walls = await tryWalls(
      async (canaries) => {
        const { canaryPath, port } = canaries;
        contained = test.start({ ...canaries, pythonAttempts: pythonAttempts(canaryPath, port) });
        return attemptsSchema.parse(JSON.parse(await contained.output.line(MAX_REPORT_BYTES)));
      },
      (name) => name !== CONNECT || test.requireNamespaces,
    );
    return wallReport('pyodide', test.namespaces, walls);
  } catch (error) {
    const stderr = contained && (contained.kill(), (await contained.exited).stderr.trim());
    return wallReport('pyodide', test.namespaces, unfinished(stderr || String(error)));
  } finally {
    clearTimeout(timer);
    contained?.kill();
  }
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
