/**
 * The arguments of a call as an object; an empty one where the model's text is none, for what was wrong with it stands
 * in the output of that call.
 */
export function argumentsObject(text: string): Readonly<Record<string, unknown>> {
  return parseObject(text) ?? {};
}

/** Whether the text is a whole JSON object, so that nothing more can come. */
export function isWholeObject(text: string): boolean {
  return text.trimEnd().endsWith('}') && parseObject(text) !== null;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : null;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
}
