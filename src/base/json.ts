/** The JSON of a text, of which nothing is known yet; null for text that is none, such as one that was cut. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
