/** One line of what the doctor says. */

/** `PROBLEM`: something does not work; `WARNING`: it works, but less well than it could. */
export type FindingStatus = 'OK' | 'WARNING' | 'PROBLEM';

/** Something that was looked at. Holds no address, key or password. */
export type Finding = {
  readonly status: FindingStatus;
  /** Part of the installation, for example `calibration database`. */
  readonly area: string;
  /** What was found. */
  readonly message: string;
  /** What to do about it; null where nothing needs to be done. */
  readonly advice: string | null;
};

/** Makes the findings of one area. */
export type AreaFindings = {
  ok(message: string): Finding;
  warning(message: string, advice: string): Finding;
  problem(message: string, advice: string): Finding;
};

/** Findings of `area`. */
export function findingsOf(area: string): AreaFindings {
  return {
    ok: (message) => ({ status: 'OK', area, message, advice: null }),
    warning: (message, advice) => ({ status: 'WARNING', area, message, advice }),
    problem: (message, advice) => ({ status: 'PROBLEM', area, message, advice }),
  };
}

/** A finding as people read it: its status in a word, and the advice below. */
export function findingText({ status, message, advice }: Finding): string {
  const word = { OK: 'ok     ', WARNING: 'warning', PROBLEM: 'PROBLEM' }[status];
  return `  ${word}  ${message}${advice === null ? '' : `\n           → ${advice}`}`;
}
