/** Functions of `process` that reach other processes, native code or Node's insides. Analysed code that broke out finds none. */
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
 * Takes from this process what a job does not need. For good, and before any analysed code runs.
 * Nothing is printed for a stray rejection or error: formatting a realm's object would run the realm's code.
 */
export function hardenProcess(): void {
  process.on('unhandledRejection', () => {});
  process.on('uncaughtException', () => {});
  for (const name of DANGEROUS) {
    Reflect.deleteProperty(process, name);
    Reflect.defineProperty(process, name, { value: undefined, writable: false, configurable: false });
  }
}

/** Names among the dangerous functions that are still there; empty after {@link hardenProcess}. */
export function remainingDangers(): string[] {
  return DANGEROUS.filter((name) => Reflect.get(process, name) !== undefined);
}
