import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { startChat, type Chat, type ChatOptions } from './chat.ts';
import { createTestDatabase, type TestDatabase } from './databases.ts';

/** Conversations of one file of tests, on a database of its own. */
export type OwnChats = {
  /** Of the database; there is none before the first test. */
  readonly url: () => string;
  /** Starts a process for conversations, which ends at once when the test has ended. */
  readonly start: (options?: ChatOptions) => Promise<Chat>;
};

/**
 * Makes the database before the first test, stops what a test started, and removes the database behind the last one.
 */
export function ownChats(): OwnChats {
  let database: TestDatabase;
  const open: Chat[] = [];
  const url = () => database.url;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((chat) => chat.stop()));
  });
  afterAll(() => database.drop());
  return {
    url,
    start: async (options = {}) => {
      const chat = await startChat(url(), { times: { drainMs: 0 }, ...options });
      open.push(chat);
      return chat;
    },
  };
}
