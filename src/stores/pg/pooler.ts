/** Whether a connection is a session of its own, which a pooler between us and PostgreSQL may not give. */
import { Client } from 'pg';
import { StartupError } from '../../base/errors.ts';
import { connectionSettings } from './database.ts';

const LIMITS = { lockMs: 2_001, idleMs: 5_000, statementMs: 5_000, answerMs: 3_000 };

type Session = { readonly lock: string; readonly pid: number };

/**
 * Refuses a pooler that shares one session of PostgreSQL among connections, such as PgBouncer in transaction mode, or
 * that passes the settings of a connection not on: wake-ups, prepared statements and limits belong to a session.
 * @throws StartupError naming it, or saying that PostgreSQL cannot be reached
 */
export async function requireOwnSessions(url: string): Promise<void> {
  const settings = { ...connectionSettings(url, LIMITS), connectionTimeoutMillis: 5_000 };
  const clients = [new Client(settings), new Client(settings)] as const;
  for (const client of clients) client.on('error', () => undefined); // its statement fails as well
  const [one, two] = clients;
  try {
    await one.connect().catch(cannotConnect);
    const { rows } = await one.query<Session>(
      `select current_setting('lock_timeout') as lock, pg_backend_pid() as pid, set_config('qpilot.session', 'own', false)`,
    );
    if (rows[0]?.lock !== `${LIMITS.lockMs}ms`) throw pooler(NO_SETTINGS);
    if (rows[0].pid === (one as { readonly processID?: number }).processID) return; // nobody in between
    await two.connect().catch(cannotConnect);
    await two.query('begin'); // takes the session that the first one had, if they share
    if (!(await keepsItsSession(one))) throw pooler(NO_SESSIONS);
  } finally {
    await Promise.allSettled(clients.map((client) => client.end()));
  }
}

/** No answer, since the other connection has the only session, is a no. */
const keepsItsSession = (client: Client): Promise<boolean> =>
  client.query<{ kept: string | null }>(`select current_setting('qpilot.session', true) as kept`).then(
    ({ rows }) => rows[0]?.kept === 'own',
    () => false,
  );

const NO_SESSIONS =
  'gives no sessions of our own, which wake-ups, prepared statements and limits need. A PgBouncer in transaction or statement mode does so';
const NO_SETTINGS =
  'does not pass on the settings of a connection (lock_timeout, statement_timeout and others), which bound how long a statement may hold up others. A PgBouncer refuses or ignores them, also in session mode, unless it is told to pass each on';

const pooler = (why: string, options?: ErrorOptions): StartupError =>
  new StartupError(
    `DATABASE_URL leads to a connection pooler (such as PgBouncer) that ${why}. QPilot has pools of its own: set DATABASE_URL to PostgreSQL itself`,
    options,
  );

function cannotConnect(error: unknown): never {
  const { message } = error as Error;
  if (/unsupported startup parameter/.test(message))
    throw pooler(`${NO_SETTINGS} (${message})`, { cause: error });
  throw new StartupError(`the PostgreSQL of conversations cannot be reached: ${message}`, { cause: error });
}
