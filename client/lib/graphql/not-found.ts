import type { CombinedError } from 'urql';

/** Whether the server said that what was asked for is not there, rather than that it could not be read. */
export const isNotFound = (error: CombinedError | undefined): boolean =>
  error?.graphQLErrors.some(({ extensions }) => extensions['code'] === 'NOT_FOUND') ?? false;
