/** Every server in turn killed, frozen and restarted, as machines fail and as an operator updates them. */
import { until } from '@qpilot/test-support';
import type { Node } from './cluster.ts';
import { FROZEN_MS, frozen, killed, type Fault, type Scene } from './faults.ts';

const KINDS: readonly (Omit<Fault, 'happen'> & {
  readonly happen: (server: Node) => ReturnType<Fault['happen']>;
})[] = [
  { name: 'each killed (-9)', happen: killed },
  { name: `each frozen for ${FROZEN_MS / 1000} s`, happen: (server) => frozen([server]) },
  { name: 'rolling restart (SIGTERM)', spares: true, happen: restarted },
];

/** One after the other, first all of a kind; the last round is a rolling restart of all. */
export const inTurn = (servers: number): readonly Fault[] =>
  KINDS.flatMap(({ happen, ...kind }) =>
    Array.from({ length: servers }, (_, index) => {
      const server = ({ cluster }: Scene): Node => serverAt(cluster.servers, index);
      return { ...kind, server, happen: (scene: Scene) => happen(server(scene)) };
    }),
  );

function serverAt(servers: readonly Node[], index: number): Node {
  const server = servers[index];
  if (server === undefined) throw new Error(`there is no server ${index + 1}, only ${servers.length}`);
  return server;
}

/** As docs/operations/running.md says: SIGTERM, wait for its end, start, wait for `/readyz`. */
async function restarted(server: Node): Promise<() => Promise<void>> {
  server.signal('SIGTERM');
  await server.ended();
  return async () => {
    await server.start();
    await until(async () => (await fetch(`${server.url}/readyz`)).ok, { what: `${server.name} to be ready` });
  };
}
