/** Importers that had to guess show what they understood, and write only what a person, or `--yes`, agrees to. */
import { InvalidInputError } from '../base/errors.ts';

/** How an importer talks to the person who started it. */
export type Dialogue = {
  readonly print: (line: string) => void;
  /** Agree to every guess. */
  readonly yes: boolean;
  /** Asks a person; null where nobody is at a terminal. */
  readonly ask: ((question: string) => Promise<boolean>) | null;
  /** Gets what had to be guessed. */
  readonly onGuesses?: (guesses: readonly string[]) => void;
};

/**
 * Prints the preview and returns once the guesses are agreed to, or at once where there are none.
 * @throws InvalidInputError where nobody agrees; nothing is written then.
 */
export async function confirm(
  { print, yes, ask, onGuesses }: Dialogue,
  preview: readonly string[],
  guesses: readonly string[],
): Promise<void> {
  for (const line of preview) print(line);
  onGuesses?.(guesses);
  if (guesses.length === 0 || yes) return;
  const guessed = `guessed: ${guesses.join('; ')}`;
  if (ask === null) {
    throw refuse(
      `nothing was imported; ${guessed}. If the preview is right, add --yes; otherwise say what is right`,
    );
  }
  print(`  ${guessed}`);
  if (!(await ask('Import it like this? [y/N] '))) throw refuse('nothing was imported');
}

const refuse = (message: string): InvalidInputError => InvalidInputError.at([], message);
