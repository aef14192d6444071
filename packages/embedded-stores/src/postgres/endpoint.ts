import { rm } from 'node:fs/promises';
import { makePrivateFolder, socketFolder } from '../socket-folder.ts';
import { giveTo, type Identity } from './identity.ts';

/** The one role of the embedded server, its superuser. */
export const ROLE = 'qpilot';

/** Where clients reach the server, and the settings of the server and of `initdb` for that. */
export type Endpoint = {
  /** Authentication, fixed when the cluster is created. */
  readonly initdbArgs: readonly string[];
  /** Settings of the server, by name. */
  readonly settings: Readonly<Record<string, string>>;
  /** Connection string for one database, as `pg` reads it. */
  url(database: string): string;
  /** Prepares the place where the server, run as `identity`, listens. */
  prepare(identity: Identity): Promise<void>;
  close(): Promise<void>;
};

/** Postgres's name for its socket at port 5432. No port is opened. */
const SOCKET_NAME = '.s.PGSQL.5432';

/**
 * A unix socket in a private folder: no port is open, so no password is needed.
 * @param dir absolute data folder
 */
export function socketEndpoint(dir: string): Endpoint {
  const folder = socketFolder(dir, SOCKET_NAME);
  return {
    initdbArgs: ['--auth-local=trust', '--auth-host=reject'],
    settings: {
      listen_addresses: '',
      unix_socket_directories: folder,
      unix_socket_permissions: '0700',
      port: '5432',
    },
    url: (database) => `postgresql://${ROLE}@localhost/${database}?host=${encodeURIComponent(folder)}`,
    prepare: async (identity) => {
      await makePrivateFolder(folder, identity.kind === 'user' ? identity.uid : undefined);
      await giveTo(identity, folder);
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
