/** Python programs, which are files beside the code that runs them. */
import { readFileSync } from 'node:fs';

/** The program of a file; the names in capitals that `parts` has are replaced by what it gives for them. */
export function pythonProgram(file: URL): (parts: Readonly<Record<string, string | number>>) => string {
  const source = readFileSync(file, 'utf8');
  return (parts) => source.replaceAll(/\b[A-Z]+(?:_[A-Z]+)*\b/gu, (name) => String(parts[name] ?? name));
}
