import type { Message, TurnStatus } from '../conversation/session.ts';

/** Who may read a conversation, a job or a board besides its owner. Only its owner writes in it. */
export const VISIBILITIES = ['PRIVATE', 'PROJECT', 'LINK'] as const;
export type Visibility = (typeof VISIBILITIES)[number];
/** Of what is shared. */
export type SharedVisibility = Exclude<Visibility, 'PRIVATE'>;

/** Somebody by the id of the door; `name` is the id where no name is known. */
export type NamedUser = { readonly userId: string; readonly name: string };

/** A remark of a member on an answer, or on a job as a whole. No model ever sees it. */
export type Comment = {
  readonly id: string;
  readonly sessionId: string;
  /** The answer; null for a job. */
  readonly messageId: string | null;
  readonly authorId: string;
  readonly text: string;
  /** Members whom it names, by id. */
  readonly mentions: readonly string[];
  readonly createdAt: Date;
};

/**
 * One answer that its owner shares alone. Readers get its question, its words, its visuals and where its numbers come
 * from, and nothing else of the conversation; nothing in it leads there.
 */
export type SharedAnswer = {
  /** Last part of its link. */
  readonly key: string;
  readonly visibility: SharedVisibility;
  readonly projectId: string;
  readonly viewerId: string;
  readonly sharedAt: Date;
  /** What the conversation is about. */
  readonly chipId: string | null;
  readonly status: TurnStatus;
  readonly question: Message;
  readonly answer: Message;
};
