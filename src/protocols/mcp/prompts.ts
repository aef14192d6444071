/** The starter questions of the copilot, as prompts. */
import type { CopilotConfig } from '../../services/copilot/copilot-config.ts';

/** A question to start with; `name` is what a client asks for it by. */
export type StarterPrompt = { readonly name: string; readonly title: string; readonly text: string };

/** The argument of each: the chip that it is about. */
export const CHIP_ARGUMENT = 'chip';

/** Each question in each language; names come from the English label, with the language behind it for the others. */
export function starterPrompts({
  suggestions,
}: Pick<CopilotConfig, 'suggestions'>): readonly StarterPrompt[] {
  const names = suggestions.en.map(({ label }, index) => slugOf(label) || `question-${index + 1}`);
  return Object.entries(suggestions).flatMap(([language, ofLanguage]) =>
    ofLanguage.map(({ label, prompt }, index) => {
      const name = names[index] ?? `question-${index + 1}`;
      return { name: language === 'en' ? name : `${name}-${language}`, title: label, text: prompt };
    }),
  );
}

const slugOf = (label: string): string =>
  label
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/gu, '-')
    .replaceAll(/^-|-$/gu, '');

/** The question about a chip, or about the one that a call takes by itself. */
export const promptText = ({ text }: StarterPrompt, chip: string | undefined): string =>
  chip ? `${text} (${chip})` : text;
