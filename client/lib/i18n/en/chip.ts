/** Texts of the chip page. */
export const chip = {} as const;
