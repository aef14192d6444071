/** GraphQL as members of two projects: `otto` is of `other`, everybody else of `demo`. */
import { expect } from '@jest/globals';
import { post, type GraphqlAnswer } from './graphql-client.ts';
import { signedIn } from './signed-in.ts';

export type Fields = Record<string, unknown>;

/** Calls to the server at `url()`, which is asked for at each of them. */
export function callsOf(url: () => string) {
  const as = (user: string, query: string, variables: object = {}): Promise<GraphqlAnswer> =>
    post(url(), query, { variables, headers: signedIn(user, user === 'otto' ? 'other' : 'demo') });
  /** The only field of an answer without errors. */
  const only = async (user: string, query: string, variables: object = {}): Promise<Fields | null> => {
    const { data, errors } = await as(user, query, variables);
    expect(errors).toEqual([]);
    return Object.values(data ?? {})[0] as Fields | null;
  };
  /** A mutation with one input, and its outcome. */
  const change = (user: string, mutation: string, input: object, select = '') =>
    only(
      user,
      `mutation ($input: ${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input!) {
      ${mutation}(input: $input) { __typename ${select} ... on UserError { code message } } }`,
      { input },
    );
  return { as, only, change };
}
