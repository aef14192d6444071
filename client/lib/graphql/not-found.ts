import type { CombinedError } from 'urql';

/** Whether the server answered that something does not exist, rather than that it could not be read. */
export const isNotFound = (error: CombinedError | undefined): boolean => has(error, 'NOT_FOUND');

/** Whether what was asked for makes no sense of the data there is, such as a comparison with a time before all of it. */
export const isInvalid = (error: CombinedError | undefined): boolean => has(error, 'INVALID_INPUT');

const has = (error: CombinedError | undefined, code: string): boolean =>
  error?.graphQLErrors.some(({ extensions }) => extensions['code'] === code) ?? false;
