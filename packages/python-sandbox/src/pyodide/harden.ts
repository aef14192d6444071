/** Functions of `process` that reach other processes, native code or Node internals. */
const DANGEROUS = [
  'abort',
  'binding',
  'chdir',
  'dlopen',
  'execve',
  'getBuiltinModule',
  'kill',
  'loadEnvFile',
  'report',
  'setgid',
  'setuid',
  '_debugEnd',
  '_debugProcess',
  '_kill',
  '_linkedBinding',
  '_startProfilerIdleNotifier',
] as const;

/**
 * Permanently removes what a job does not need, before any analysed code runs. Stray rejections and errors are
 * swallowed, since formatting an object of the realm would run code of the realm.
 */
export function hardenProcess(): void {
  process.on('unhandledRejection', () => {});
  process.on('uncaughtException', () => {});
  for (const name of DANGEROUS) {
    Reflect.deleteProperty(process, name);
    Reflect.defineProperty(process, name, { value: undefined, writable: false, configurable: false });
  }
}

/** Dangerous functions that still exist; empty after {@link hardenProcess}. */
export function remainingDangers(): string[] {
  return DANGEROUS.filter((name) => Reflect.get(process, name) !== undefined);
}
