/**
 * The environment of a Postgres program: ours without `PG*` variables, which may be set for other servers, and with
 * English messages, because readiness is read from the log.
 */
export function programEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('PG') && !name.startsWith('LC_'),
  );
  return { ...Object.fromEntries(kept), LC_ALL: 'C' };
}
