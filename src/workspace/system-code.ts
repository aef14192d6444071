/** Error code of the operating system, for example `ENOENT`; empty for other errors. */
export const systemCode = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
