import { InvalidInputError } from '../base/errors.ts';

export const MIN_PASSWORD = 12;
export const MAX_PASSWORD = 128;

/** @throws InvalidInputError for a password that is easily guessed. */
export function checkPassword(
  password: string,
  about: { readonly name: string; readonly email: string },
): void {
  const wrong = (message: string) => InvalidInputError.at(['password'], message);
  if (password.length < MIN_PASSWORD || password.length > MAX_PASSWORD)
    throw wrong(`must have ${MIN_PASSWORD} to ${MAX_PASSWORD} characters`);
  const lower = password.toLowerCase();
  const words = [about.email.split('@')[0] ?? '', ...about.name.split(/\s+/u), 'qpilot', 'password'];
  let rest = lower;
  for (const word of words) if (word.length > 2) rest = rest.replaceAll(word.toLowerCase(), '');
  if (rest.length < 8) throw wrong('must not consist of your name, your address or common words');
  if (new Set(lower).size < 5) throw wrong('must have five different characters at least');
}
