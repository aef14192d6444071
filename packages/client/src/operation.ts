/**
 * The text of an operation, with the types of its answer and its variables. The documents that GraphQL Code Generator
 * makes with `documentMode: 'string'` are of this type, too; with their hash a server finds them that runs only known
 * operations.
 */
export type Operation<Data, Variables> = {
  toString(): string;
  /** Exists for the compiler only. */
  readonly __apiType?: (variables: Variables) => Data;
  readonly __meta__?: { readonly hash?: string } | undefined;
};

/** Gives a text its types. */
export const operation = <Data, Variables>(text: string): Operation<Data, Variables> => text;

/** An operation as it is sent. */
export function payloadOf<Data, Variables>(
  what: Operation<Data, Variables>,
  variables: Record<string, unknown>,
) {
  const hash = what.__meta__?.hash;
  return {
    query: what.toString(),
    variables,
    ...(hash !== undefined && {
      extensions: { persistedQuery: { version: 1, sha256Hash: hash, miss: true } },
    }),
  };
}
