/** A piece of a JSON document; `rest` is what follows the end of the document, null before its end. */
export type MendedJson = { readonly json: string; readonly rest: string | null };

const ESCAPED: ReadonlyMap<string, string> = new Map([
  ['\n', String.raw`\n`],
  ['\r', String.raw`\r`],
  ['\t', String.raw`\t`],
]);

/**
 * Passes one JSON document through and finds its end. On the way it fixes what models without an enforced schema get
 * wrong: line breaks inside strings, backslashes that escape nothing (LaTeX) and trailing commas. Brackets and quotes
 * stay as they are; the parser finds whatever else is wrong.
 */
export function createJsonMender(): (piece: string) => MendedJson {
  let depth = 0;
  let isInString = false;
  /** A backslash and, after `\u`, its digits so far. */
  let escape = '';
  /** A comma outside of strings and the space after it. */
  let comma = '';

  function mendInString(char: string): string {
    if (escape !== '') {
      const whole = escape + char;
      const mayGoOn = /^\\(?:u[\da-f]{0,4})?$/iu.test(whole);
      escape = mayGoOn && whole.length < 6 ? whole : '';
      if (escape !== '') return '';
      if (mayGoOn || /^\\["\\/bfnrt]$/u.test(whole)) return whole;
      return `\\${whole.slice(0, -1)}${mendInString(char)}`;
    }
    if (char === '\\') {
      escape = char;
      return '';
    }
    isInString = char !== '"';
    if (char >= ' ') return char;
    return ESCAPED.get(char) ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  }

  function mend(char: string): string {
    if (isInString) return mendInString(char);
    if (char === ',' && comma === '') {
      comma = char;
      return '';
    }
    if (comma !== '' && char.trim() === '') {
      comma += char;
      return '';
    }
    const closes = char === '}' || char === ']';
    const before = closes ? comma.slice(1) : comma;
    comma = '';
    isInString = char === '"';
    if (char === '{' || char === '[') depth += 1;
    if (closes) depth -= 1;
    return before + char;
  }

  return (piece) => {
    let json = '';
    for (const [index, char] of piece.split('').entries()) {
      json += mend(char);
      if (depth <= 0 && json !== '') return { json, rest: piece.slice(index + 1) };
    }
    return { json, rest: null };
  };
}
