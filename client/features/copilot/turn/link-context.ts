import { createContext } from 'react';

/** What parts of a conversation need to be linked to and taken along. */
export type Links = {
  /** Null where parts have no address. */
  readonly sessionId: string | null;
  /** The step that the address leads to. */
  readonly stepId: string | null;
  /** The chip that the conversation is about; null for none. */
  readonly chipId: string | null;
  /** The chips of the project. */
  readonly chipIds: readonly string[];
  /** Whose conversation it is; null without sign-in. */
  readonly author: string | null;
};

export const LinkContext = createContext<Links>({
  sessionId: null,
  stepId: null,
  chipId: null,
  chipIds: [],
  author: null,
});
