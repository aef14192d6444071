/** Tells when a JSON object that comes in pieces has come to its end; each piece is looked at once. */
export type ObjectEnd = {
  /** Takes the next piece; true with the one in which the outermost bracket closes. */
  add(piece: string): boolean;
};

/** At the beginning of a text. What is inside the brackets is not checked: whoever needs it valid parses it then. */
export function createObjectEnd(): ObjectEnd {
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  let isOver = false;

  function read(character: string): void {
    if (isEscaped) isEscaped = false;
    else if (isText) {
      if (character === '\\') isEscaped = true;
      else if (character === '"') isText = false;
    } else if (character === '"') isText = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      isOver = depth <= 0;
    }
  }

  return {
    add(piece) {
      if (isOver) return false;
      for (const character of piece) {
        read(character);
        if (isOver) return true;
      }
      return false;
    },
  };
}
