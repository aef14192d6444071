import { account } from './account.ts';
import { alerts } from './alerts.ts';
import { audit } from './audit.ts';
import { boards, times } from './boards.ts';
import { builder } from './builder.ts';
import { chip, coupling, qubit } from './chip.ts';
import { common, projects, settings } from './common.ts';
import { compare } from './compare.ts';
import { copilot } from './copilot.ts';
import { imports } from './imports.ts';
import { jobs } from './jobs.ts';
import { logbook } from './logbook.ts';
import { newJob } from './new-job.ts';
import { search } from './search.ts';
import { sharing } from './sharing.ts';
import { tour } from './tour.ts';
import type { Words } from '../words.ts';

/** Japanese. */
export const words: Words = {
  account,
  alerts,
  audit,
  boards,
  builder,
  common,
  chip,
  compare,
  copilot,
  coupling,
  imports,
  jobs,
  logbook,
  newJob,
  projects,
  qubit,
  settings,
  search,
  sharing,
  times,
  tour,
};
