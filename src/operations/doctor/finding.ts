/** `PROBLEM`: something does not work; `WARNING`: it works, but less well than it could. */
export type FindingStatus = 'OK' | 'WARNING' | 'PROBLEM';

/** Result of one check; contains no address, key or password. */
export type Finding = {
  readonly status: FindingStatus;
  /** Part of the installation, for example `calibration database`. */
  readonly area: string;
  /** What was found. */
  readonly message: string;
  /** What to do about it; null if nothing. */
  readonly advice: string | null;
};

/** Creates findings of one area. */
export type AreaFindings = {
  ok(message: string): Finding;
  warning(message: string, advice: string): Finding;
  problem(message: string, advice: string): Finding;
};

export function findingsOf(area: string): AreaFindings {
  return {
    ok: (message) => ({ status: 'OK', area, message, advice: null }),
    warning: (message, advice) => ({ status: 'WARNING', area, message, advice }),
    problem: (message, advice) => ({ status: 'PROBLEM', area, message, advice }),
  };
}

/** A finding as text: status and message, with the advice below. */
export function findingText({ status, message, advice }: Finding): string {
  const word = { OK: 'ok     ', WARNING: 'warning', PROBLEM: 'PROBLEM' }[status];
  return `  ${word}  ${message}${advice === null ? '' : `\n           → ${advice}`}`;
}
