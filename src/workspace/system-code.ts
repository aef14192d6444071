/** Why the operating system refused, for example `ENOENT`; empty for what is no error of its. */
export const systemCode = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
