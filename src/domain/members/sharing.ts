/** Who may read a conversation or a job besides its owner. Only its owner writes in it. */
export const VISIBILITIES = ['PRIVATE', 'PROJECT', 'LINK'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

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

/** Page of the web client that opens what a link shares. */
export const SHARED_PAGE = '/shared';
