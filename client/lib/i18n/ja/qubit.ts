import type { Words } from '../words.ts';

/** Texts of the qubit page. */
export const qubit: Words['qubit'] = {};
