type LogLine = { (message: string): void; (fields: object, message: string): void };

/** Log of the stores: a pino logger, or any object with these four methods. */
export type StoresLog = Readonly<Record<'debug' | 'info' | 'warn' | 'error', LogLine>>;
