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

/** Errors of an operation as a server answers them. */
export type OperationErrors = readonly { readonly message: string }[];

/** The messages of an operation's errors in one text. */
export const messageOf = (errors: OperationErrors): string => errors.map(({ message }) => message).join('; ');

/**
 * Sends one query or mutation. The answer is believed to be what the document asks for: server and types come from the
 * same schema.
 * @throws AskError when no server answers, something else answers, or the server refuses the operation.
 */
export async function execute<Data, Variables>(
  server: Server,
  query: string,
  variables: Variables,
): Promise<Data> {
  const { url } = server;
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headersFor(server) },
    body: JSON.stringify({ query, variables }),
  }).catch((error: unknown) => {
    throw new AskError(
      `no QPilot answers at ${url}; start one with npm start, or give its address with --url`,
      {
        cause: error,
      },
    );
  });
  const answer = (await response.json().catch(() => null)) as {
    data?: Data;
    errors?: OperationErrors;
  } | null;
  if (answer?.errors) throw new AskError(messageOf(answer.errors));
  if (!answer?.data) throw new AskError(`the server at ${url} (status ${response.status}) is not QPilot`);
  return answer.data;
}
