/** An error that the user can act on; its message is printed verbatim. */
export class AskError extends Error {}

/** A server, and what is sent with each operation. */
export type Server = {
  /** Its address, without a path. */
  readonly url: string;
  /** Null where it needs no sign-in. */
  readonly token: string | null;
  /** Null: the caller's only project. */
  readonly project: string | null;
};

/** Who asks, and in which project. */
export const headersFor = ({ token, project }: Server): Record<string, string> => ({
  ...(token !== null && { authorization: `Bearer ${token}` }),
  ...(project !== null && { 'x-project-id': project }),
});
