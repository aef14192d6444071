/** References of a report: `[1]` in its text leads to the line `[1] …` that names the record. Pure. */

/** As much of an HTML tree as this needs. */
type HtmlNode = {
  type: string;
  value?: string;
  tagName?: string;
  properties?: Record<string, unknown>;
  children?: HtmlNode[];
};

const REFERENCE = /\[(\d{1,4})\]/u;

/** The id of the element where a reference is explained. */
export const referenceId = (number: string): string => `reference-${number}`;

/**
 * A rehype plugin: a paragraph or item that begins with `[n]` gets an id, any other `[n]` outside of code a link to
 * it.
 */
export function linkReferences() {
  return (tree: HtmlNode): void => {
    const explained = new Set<string>();
    for (const block of blocksOf(tree)) {
      const number = numberAtStart(block);
      if (number === null) continue;
      block.properties = { ...block.properties, id: referenceId(number) };
      explained.add(number);
    }
    linkIn(tree, explained, null);
  };
}

function blocksOf(node: HtmlNode): readonly HtmlNode[] {
  const inner = (node.children ?? []).flatMap(blocksOf);
  return node.tagName === 'p' ? [node, ...inner] : inner;
}

function numberAtStart({ children }: HtmlNode): string | null {
  const text = children?.[0];
  const match = text?.type === 'text' ? REFERENCE.exec(text.value ?? '') : null;
  return match?.index === 0 ? (match[1] ?? null) : null;
}

function linkIn(node: HtmlNode, explained: ReadonlySet<string>, own: string | null): void {
  if (!node.children || node.tagName === 'code' || node.tagName === 'a') return;
  const within = node.tagName === 'p' ? numberAtStart(node) : own;
  node.children = node.children.flatMap((child) => {
    if (child.type === 'text') return split(child.value ?? '', explained, within);
    linkIn(child, explained, within);
    return [child];
  });
}

function split(text: string, explained: ReadonlySet<string>, own: string | null): HtmlNode[] {
  // A pattern with a group gives the texts between the matches and, at odd places, the numbers.
  return text.split(new RegExp(REFERENCE, 'gu')).map((piece, index) => {
    if (index % 2 === 0) return { type: 'text', value: piece };
    const word: HtmlNode = { type: 'text', value: `[${piece}]` };
    if (!explained.has(piece) || piece === own) return word;
    return {
      type: 'element',
      tagName: 'a',
      properties: { href: `#${referenceId(piece)}` },
      children: [word],
    };
  });
}
