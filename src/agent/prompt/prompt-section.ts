/**
 * A part of the prompt beside the conversation. Parts that are the same in every turn of a session are its
 * instructions; those that change come just before the message that they were written for, so that a provider's cache
 * keeps everything before them.
 */
export type PromptSection = {
  readonly id: string;
  readonly text: string;
  /**
   * Absent: never in a session. `ALWAYS`: it is about its message only. `SOMETIMES`: it holds until another of its id
   * takes its place, so it is said again only where its text is another.
   */
  readonly changes?: 'ALWAYS' | 'SOMETIMES' | undefined;
};

export const promptText = (sections: readonly PromptSection[]): string =>
  sections.map(({ text }) => text).join('\n\n');

/** The instructions of a session: the same text in each of its turns. */
export const instructionsIn = (sections: readonly PromptSection[]): string =>
  promptText(sections.filter(({ changes }) => changes === undefined));

/** What belongs to the newest message. */
export const contextIn = (sections: readonly PromptSection[]): readonly PromptSection[] =>
  sections.filter(({ changes }) => changes !== undefined);

export const always = (section: PromptSection): PromptSection => ({ ...section, changes: 'ALWAYS' });
export const sometimes = (section: PromptSection): PromptSection => ({ ...section, changes: 'SOMETIMES' });
