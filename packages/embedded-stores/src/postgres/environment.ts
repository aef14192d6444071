/**
 * The environment of a Postgres program: ours without `PG*` variables, which a user may have set for other servers, and
 * in English, because readiness is read from the log.
 */
export function programEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('PG') && !name.startsWith('LC_'),
  );
  return { ...Object.fromEntries(kept), LC_ALL: 'C' };
}
