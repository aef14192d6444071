/** Words in a picture: Plotly's text as plain lines, how wide it is, and where it is broken or cut. */

/** Parts of the size that the characters of M PLUS 1p from space to tilde are wide. */
const WIDTHS = [
  0.29, 0.363, 0.4, 0.678, 0.605, 0.847, 0.712, 0.237, 0.385, 0.385, 0.527, 0.733, 0.304, 0.457, 0.283, 0.507,
  0.62, 0.62, 0.62, 0.62, 0.62, 0.62, 0.62, 0.62, 0.62, 0.62, 0.363, 0.384, 0.667, 0.753, 0.667, 0.611, 0.823,
  0.693, 0.598, 0.695, 0.682, 0.587, 0.572, 0.745, 0.71, 0.317, 0.527, 0.633, 0.585, 0.857, 0.713, 0.793, 0.6,
  0.785, 0.62, 0.573, 0.653, 0.683, 0.693, 0.953, 0.65, 0.67, 0.637, 0.47, 0.507, 0.47, 0.653, 0.583, 0.278,
  0.548, 0.578, 0.522, 0.578, 0.552, 0.522, 0.573, 0.573, 0.307, 0.347, 0.562, 0.307, 0.805, 0.568, 0.57,
  0.573, 0.573, 0.453, 0.497, 0.512, 0.558, 0.557, 0.81, 0.553, 0.557, 0.547, 0.513, 0.343, 0.513, 0.69,
];
const GREEK_OR_LATIN = 0.66;
const FULL = 1;
const BOLD = 1.05;
export const LINE_HEIGHT = 1.35;

/** Pixels that a line takes. */
export function widthOf(line: string, size: number, isBold = false): number {
  let width = 0;
  for (const character of line) {
    const code = character.codePointAt(0) ?? 0;
    width += WIDTHS[code - 32] ?? (code < 0x2000 ? GREEK_OR_LATIN : FULL);
  }
  return width * size * (isBold ? BOLD : 1);
}

export const widthOfAll = (lines: readonly string[], size: number): number =>
  Math.max(0, ...lines.map((line) => widthOf(line, size)));

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&nbsp;': ' ',
  '&amp;': '&',
};

/** Characters that no XML document may have, and halves of others. */
// oxlint-disable-next-line no-control-regex
const NO_TEXT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/gu;

/** Plotly's text, which knows a few tags and entities, as plain lines. */
export const plainLines = (text: string): readonly string[] =>
  text
    .split(/<br\s*\/?>|\n/iu)
    .map((line) =>
      printable(
        line.replaceAll(/<\/?[a-z][^>]*>/giu, '').replaceAll(/&[a-z]+;/gu, (name) => ENTITIES[name] ?? name),
      ),
    );

const MOST_LINES = 6;
const MOST_CHARACTERS = 2_000;
const LABEL_PX = 420;

/** {@link plainLines} of a label within a chart, as far as there can be room for them. */
export const labelLines = (text: string): readonly string[] =>
  plainLines(text.slice(0, MOST_CHARACTERS))
    .slice(0, MOST_LINES)
    .map((line) => fitted(line, LABEL_PX, 12));

export const printable = (text: string): string =>
  text.toWellFormed().replaceAll(NO_TEXT, '\ufffd').replaceAll(/\s/gu, ' ');

/** A line as long as there is room, with an ellipsis where it was cut. */
export function fitted(line: string, widthPx: number, size: number): string {
  let kept = '';
  let short = '';
  let width = 0;
  const room = widthPx - widthOf('…', size);
  for (const character of line) {
    width += widthOf(character, size);
    if (width > widthPx) break;
    kept += character;
    if (width <= room) short = kept;
  }
  return kept === line ? line : `${short.trimEnd()}…`;
}

/** Broken between words into at most `most` lines; the last is cut where there are more. */
export function wrapped(text: string, widthPx: number, size: number, most: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    const isLast = lines.length === most && last !== undefined;
    if (last !== undefined && (isLast || widthOf(longer, size) <= widthPx)) lines[lines.length - 1] = longer;
    else lines.push(word);
    if (isLast && widthOf(longer, size) > widthPx) break;
  }
  return lines.map((line) => fitted(line, widthPx, size));
}
