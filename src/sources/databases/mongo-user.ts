/** Whether a user of MongoDB may only read. */
import { MongoServerError, type Db } from 'mongodb';
import { z } from 'zod';
import { InvalidInputError } from '../../base/errors.ts';

const status = z.object({
  authInfo: z.object({
    authenticatedUserPrivileges: z
      .array(z.object({ resource: z.looseObject({}), actions: z.array(z.string()) }))
      .default([]),
  }),
});

/** Of a user with the role `read` there is none of these. */
const WRITES =
  /^(?:insert|update|remove|anyAction|dropCollection|dropDatabase|createCollection|createUser|grantRole)$/u;
const COMMAND_NOT_FOUND = 59;

/**
 * A server without access control has no users, and passes: there the list of allowed stages alone prevents writes.
 * `name` is the datasource's.
 * @throws InvalidInputError with the command that creates a user who may only read
 */
export async function refuseWritingUser(db: Db, name: string): Promise<void> {
  const write = await firstWrite(db);
  if (write === undefined) return;
  throw InvalidInputError.at(
    ['datasource'],
    `${name} is not queried: its account may ${write}. Whoever runs this server must give it one that may only read: ` +
      "db.createUser({ user: 'qpilot_reader', pwd: passwordPrompt(), roles: ['read'] })",
  );
}

async function firstWrite(db: Db): Promise<string | undefined> {
  try {
    const { authInfo } = status.parse(await db.command({ connectionStatus: 1, showPrivileges: true }));
    return authInfo.authenticatedUserPrivileges
      .flatMap(({ actions }) => actions)
      .find((action) => WRITES.test(action));
  } catch (error) {
    if (error instanceof MongoServerError && error.code === COMMAND_NOT_FOUND) return undefined;
    throw error;
  }
}
