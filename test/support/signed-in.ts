import { createLogger } from '../../src/base/log.ts';
import type { Role } from '../../src/domain/members/role.ts';
import { openDoor, type Door } from '../../src/identity/door.ts';
import { SignedOutError } from '../../src/identity/identity.ts';
import { LOCAL_CALLER } from '../../src/services/members/access.ts';
import { openDatabase } from '../../src/stores/pg/database.ts';
import { createMembers } from '../../src/stores/pg/members.ts';
import type { TestApp } from './create-test-app.ts';
import { stubServices } from './stub-services.ts';

/** A door that believes a header; `root` administers the installation. */
export const headerDoor: Door = {
  ...openDoor(LOCAL_CALLER, stubServices({}).access),
  mode: 'accounts',
  async identify({ req }) {
    const id = req?.headers['x-test-user'];
    if (typeof id !== 'string') throw new SignedOutError();
    return { ...LOCAL_CALLER, id, name: id, isOperator: id === 'root', everywhere: null };
  },
};

/** Headers of a request of somebody for a project. */
export const signedIn = (user: string | null, project: string | null): Record<string, string> => ({
  ...(project !== null && { 'x-project-id': project }),
  ...(user !== null && { 'x-test-user': user }),
});

/** Makes members, as the door does with the first owner. */
export async function addMembers(
  app: TestApp,
  members: readonly (readonly [userId: string, projectId: string, role: Role])[],
): Promise<void> {
  const database = openDatabase(app.environment['DATABASE_URL'] ?? '', { log: createLogger('silent') });
  try {
    const store = createMembers(database.db);
    for (const [userId, projectId, role] of members) {
      await store.set({ userId, projectId, role, addedBy: null });
    }
  } finally {
    await database.close();
  }
}
