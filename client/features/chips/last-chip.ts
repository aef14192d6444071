const KEY = 'qpilot.chip';

/** The chip that this browser looked at last. */
export const lastChip = (): string | null => localStorage.getItem(KEY);

/** Remembers it for the next visit. */
export const rememberChip = (chipId: string): void => localStorage.setItem(KEY, chipId);
