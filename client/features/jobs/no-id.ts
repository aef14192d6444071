import type { CombinedError } from 'urql';

/** Whether the server refused an id that means nothing; one of something foreign it answers with nothing. */
export const isNoId = (error: CombinedError | undefined): boolean =>
  error?.graphQLErrors.some(({ extensions }) => extensions['code'] === 'INVALID_INPUT') ?? false;
