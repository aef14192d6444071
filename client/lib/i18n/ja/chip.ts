import type { Words } from '../words.ts';

/** Texts of the chip page. */
export const chip: Words['chip'] = {};
