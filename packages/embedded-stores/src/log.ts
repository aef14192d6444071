type LogLine = { (message: string): void; (fields: object, message: string): void };

/** Where the stores report what happens to them. A pino logger fits; so does any object with these four methods. */
export type StoresLog = Readonly<Record<'debug' | 'info' | 'warn' | 'error', LogLine>>;
