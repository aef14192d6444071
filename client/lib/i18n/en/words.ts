import { chip } from './chip.ts';
import { common } from './common.ts';
import { copilot } from './copilot.ts';
import { qubit } from './qubit.ts';
import { settings } from './settings.ts';

/** English. */
export const words = { common, chip, copilot, qubit, settings } as const;
