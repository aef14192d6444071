import type { CombinedError } from 'urql';

/** Whether the server answered that something does not exist, rather than that it could not be read. */
export const isNotFound = (error: CombinedError | undefined): boolean =>
  error?.graphQLErrors.some(({ extensions }) => extensions['code'] === 'NOT_FOUND') ?? false;
