import { LineCounter, parseDocument } from 'yaml';

/** What a YAML text holds, or what keeps it from being read, with the line. */
export type ReadYaml = { readonly value: unknown } | { readonly problem: string };

/** Many times what all settings take; what is made to be slow to read grows with the square of its length. */
const MAX_CHARACTERS = 20_000;

/**
 * Reads YAML of people: an empty text is an empty object. Problems never quote the text, which may hold secrets.
 * Aliases that would unfold into very much are refused, and so is YAML 1.1, which makes other things than JSON of some.
 */
export function readConfigYaml(text: string): ReadYaml {
  if (text.length > MAX_CHARACTERS) {
    return { problem: `has ${text.length} characters; at most ${MAX_CHARACTERS} are read` };
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) {
    const what = error.code.toLowerCase().replaceAll('_', ' ');
    return { problem: `line ${lines.linePos(error.pos[0]).line} is not YAML (${what})` };
  }
  if (document.directives?.yaml.version === '1.1') {
    return { problem: 'says that it is YAML 1.1; leave out the line %YAML' };
  }
  try {
    return { value: (document.toJS() as unknown) ?? {} };
  } catch (cause) {
    if (cause instanceof ReferenceError) return { problem: 'has aliases that cannot be followed' };
    throw cause;
  }
}
