/** Texts of the qubit page. */
export const qubit = {} as const;
