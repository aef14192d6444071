/** A part of the instructions. */
export type PromptSection = { readonly id: string; readonly text: string };

/** Sections as one text. */
export const promptText = (sections: readonly PromptSection[]): string =>
  sections.map(({ text }) => text).join('\n\n');
