import { builder } from './builder.ts';
import { chip } from './chip.ts';
import { common } from './common.ts';
import { copilot } from './copilot.ts';
import { jobs } from './jobs.ts';
import { newJob } from './new-job.ts';
import { qubit } from './qubit.ts';
import { settings } from './settings.ts';
import type { Words } from '../words.ts';

/** Japanese. */
export const words: Words = { builder, common, chip, copilot, jobs, newJob, qubit, settings };
