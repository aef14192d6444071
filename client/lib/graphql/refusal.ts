import { useCallback } from 'react';
import type { UserErrorFieldsFragment } from '../../gql/graphql.ts';
import { useWords } from '../i18n/i18n.tsx';
import { useServerText } from '../i18n/use-server-names.ts';

/** A member of a mutation's result union; undefined if no server answered. */
export type MutationResult = { readonly __typename: string } | undefined;
/** As urql reports it: `networkError` if no server answered. */
export type RequestFailure =
  { readonly message: string; readonly networkError?: Error | undefined } | undefined;

/** The user error of a result; null for a success. */
export const userErrorOf = (result: MutationResult): UserErrorFieldsFragment | null =>
  result !== undefined && 'code' in result && 'message' in result
    ? (result as UserErrorFieldsFragment)
    : null;

/** Why a mutation did nothing; null if it succeeded, and empty if no server answered. */
export function refusalOf(result: MutationResult, error: RequestFailure): string | null {
  const refused = userErrorOf(result)?.message;
  if (refused !== undefined) return refused;
  return result !== undefined && !error ? null : error && !error.networkError ? error.message : '';
}

/** {@link refusalOf} in words for the reader: empty is never given. */
export function useRefusal() {
  const { common } = useWords();
  const textOf = useServerText();
  return useCallback(
    (result: MutationResult, error: RequestFailure): string | null => {
      const refused = refusalOf(result, error);
      return refused === '' ? common.noServer : refused === null ? null : textOf(refused);
    },
    [common, textOf],
  );
}
