/** Where the server says what it refused or lost. */
export type Log = (level: 'info' | 'warn' | 'error', message: string) => void;
