import { InvalidInputError } from '../base/errors.ts';

/**
 * JSON as Python writes it: `NaN` and `Infinity` outside strings mean a missing number.
 * @throws InvalidInputError naming the file.
 */
export function parsePythonJson(name: string, text: string): unknown {
  const standard = text.replace(/"(?:[^"\\]|\\.)*(?:"|$)|-?Infinity|NaN/g, (token) =>
    token.startsWith('"') ? token : 'null',
  );
  try {
    return JSON.parse(standard);
  } catch (cause) {
    const message = `${name} is not JSON: ${(cause as SyntaxError).message}`;
    throw Object.assign(InvalidInputError.at([], message), { cause });
  }
}
