import { shorten } from '../text/stored-text.ts';

const TITLE_LENGTH = 50;

/** The title of a session or job until a user renames it: the first words of its text, on one line. */
export const firstTitle = (text: string): string => shorten(text.replaceAll(/\s+/gu, ' '), TITLE_LENGTH);
