/** Log of the server thread. */
export type Log = (level: 'info' | 'warn' | 'error', message: string) => void;
