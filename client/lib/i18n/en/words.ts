import { account } from './account.ts';
import { audit } from './audit.ts';
import { builder } from './builder.ts';
import { chip, qubit } from './chip.ts';
import { common, settings } from './common.ts';
import { copilot } from './copilot.ts';
import { jobs } from './jobs.ts';
import { newJob } from './new-job.ts';
import { sharing } from './sharing.ts';

/** English. */
export const words = {
  account,
  audit,
  builder,
  common,
  chip,
  copilot,
  jobs,
  newJob,
  qubit,
  settings,
  sharing,
} as const;
