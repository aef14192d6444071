import { LineCounter, parseDocument } from 'yaml';

/** The parsed value, or a problem with its line. */
export type ReadYaml = { readonly value: unknown } | { readonly problem: string };

/** Far more than all settings need; parsing time of hostile YAML grows quadratically. */
const MAX_CHARACTERS = 20_000;

/**
 * Parses YAML written by users; an empty text is an empty object. Problems never quote the text, which may contain
 * secrets. Refuses aliases that expand excessively, and YAML 1.1, because some of its values are not JSON.
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
    return { problem: 'declares YAML 1.1; remove its %YAML line' };
  }
  try {
    return { value: (document.toJS() as unknown) ?? {} };
  } catch (cause) {
    if (cause instanceof ReferenceError) return { problem: 'has aliases that cannot be followed' };
    throw cause;
  }
}
