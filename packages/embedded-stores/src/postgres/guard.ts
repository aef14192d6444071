import { spawn } from 'node:child_process';
import { Socket } from 'node:net';

/** Time for another process to take the cluster over. */
const GRACE_SECONDS = 20;

/**
 * Waits for the end of its input, then for as long as the cluster is still served by this postmaster, which another
 * owner replaces by its own. In the end it asks for a fast shutdown. `$1` postmaster, `$2` cluster, `$3` seconds.
 */
const SCRIPT = `
read -r _
while [ "$3" -gt 0 ]; do
  sleep 1
  set -- "$1" "$2" "$(($3 - 1))"
  [ "$(head -n 1 "$2/postmaster.pid" 2>/dev/null)" = "$1" ] || exit 0
done
kill -INT "$1"`;

/**
 * Has a Postgres stopped that outlives its owner, even a killed one, unless another owner takes it over: a shell holds
 * the other end of a pipe of this process. Windows has no such shell. Call what it returns when the Postgres is gone.
 */
export function guardPostgres(postmaster: number, cluster: string): () => Promise<void> {
  if (process.platform === 'win32') return async () => undefined;
  const args = ['-c', SCRIPT, 'qpilot-postgres-guard', String(postmaster), cluster, String(GRACE_SECONDS)];
  const guard = spawn('sh', args, { stdio: ['pipe', 'ignore', 'ignore'], detached: true, cwd: '/' });
  const gone = new Promise<void>((resolve) => {
    guard.once('exit', () => resolve());
    guard.once('error', () => resolve()); // without a shell nobody guards it; the next start finds it
  });
  guard.stdin.on('error', () => undefined);
  guard.unref();
  if (guard.stdin instanceof Socket) guard.stdin.unref();
  return async () => {
    guard.ref();
    guard.kill();
    await gone;
  };
}
