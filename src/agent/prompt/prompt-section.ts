export type PromptSection = { readonly id: string; readonly text: string };

export const promptText = (sections: readonly PromptSection[]): string =>
  sections.map(({ text }) => text).join('\n\n');
