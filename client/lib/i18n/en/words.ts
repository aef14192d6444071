import { chip } from './chip.ts';
import { common } from './common.ts';
import { qubit } from './qubit.ts';
import { settings } from './settings.ts';

/** English. */
export const words = { common, chip, qubit, settings } as const;
