import { LineCounter, parseDocument } from 'yaml';

/** What a YAML text holds, or what keeps it from being read, with the line. */
export type ReadYaml = { readonly value: unknown } | { readonly problem: string };

/**
 * Reads YAML of people: an empty text is an empty object. Problems never quote the text, which may hold secrets.
 * Aliases that would unfold into very much are refused.
 */
export function readConfigYaml(text: string): ReadYaml {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) {
    const what = error.code.toLowerCase().replaceAll('_', ' ');
    return { problem: `line ${lines.linePos(error.pos[0]).line} is not YAML (${what})` };
  }
  try {
    return { value: (document.toJS() as unknown) ?? {} };
  } catch (cause) {
    if (cause instanceof ReferenceError) return { problem: 'has aliases that cannot be followed' };
    throw cause;
  }
}
