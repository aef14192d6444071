import type { PythonSandbox, WallCheck } from '../sandbox/python-sandbox.ts';
import { findingsOf, type AreaFindings, type Finding } from './finding.ts';

/** Tries every wall of the sandbox from the inside. */
export async function sandboxFindings(sandbox: Pick<PythonSandbox, 'selfTest'>): Promise<readonly Finding[]> {
  const say = findingsOf('Python sandbox');
  try {
    const { engine, namespaces, walls } = await sandbox.selfTest();
    const holding = walls.filter(({ ok }) => ok).length;
    return [
      ...(holding === 0
        ? []
        : [
            say.ok(
              `engine ${engine}, ${namespaces ? 'in' : 'without'} namespaces of its own: ${holding} of ${walls.length} walls hold`,
            ),
          ]),
      ...walls.filter(({ ok }) => !ok).map((wall) => brokenWall(say, wall, namespaces)),
    ];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [
      say.problem(`it cannot be started: ${reason}`, 'without it everything but Python analysis works'),
    ];
  }
}

function brokenWall(say: AreaFindings, { name, required, detail }: WallCheck, namespaces: boolean): Finding {
  const message = `analysed code is not kept from: ${name}${detail === '' ? '' : ` (${detail})`}`;
  const allow = namespaces ? 'report this' : 'allow user namespaces on this machine';
  if (!required) return say.warning(message, `${allow}; it is accepted by SANDBOX_ALLOW_WITHOUT_NAMESPACES`);
  return say.problem(
    message,
    `Python analysis is not offered: ${allow}${namespaces ? '' : ', or accept it with SANDBOX_ALLOW_WITHOUT_NAMESPACES=1'}`,
  );
}
