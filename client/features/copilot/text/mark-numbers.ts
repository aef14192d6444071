import { cutAtNumbers, type AnswerNumber } from '@qpilot/client/view';

/** As much of an HTML tree as this needs. */
export type HtmlNode = {
  type: string;
  value?: string;
  tagName?: string;
  properties?: Record<string, unknown>;
  children?: HtmlNode[];
  position?: { start: { offset?: number }; end: { offset?: number } } | undefined;
};

/** Attribute that names the index of a marked number. */
export const NUMBER_ATTRIBUTE = 'data-number';
/** Marks a number within a link, which cannot be a link itself. */
export const IN_LINK_ATTRIBUTE = 'data-in-link';

/**
 * A rehype plugin that wraps the numbers of a rendered Markdown text in `<span data-number="index">`. `textOffset` is
 * where the rendered piece begins in the whole answer. A number that the rendering does not show as it is written stays
 * as it is.
 */
export function markNumbers(numbers: readonly AnswerNumber[], textOffset: number) {
  return () => (tree: HtmlNode, file: { readonly value: unknown }) => {
    if (numbers.length > 0) markIn(tree, { numbers, textOffset, source: String(file.value) });
  };
}

type Marking = {
  readonly numbers: readonly AnswerNumber[];
  readonly textOffset: number;
  readonly source: string;
  readonly isInLink?: boolean;
};

function markIn(parent: HtmlNode, marking: Marking): void {
  if (!parent.children) return;
  parent.children = parent.children.flatMap((child) => {
    if (child.type === 'text')
      return split(child.value ?? '', placeOf(child, parent, marking.source), marking);
    markIn(child, child.tagName === 'a' ? { ...marking, isInLink: true } : marking);
    return [child];
  });
}

/** Where the text of a node begins in the source; null where the source writes it differently. */
function placeOf(node: HtmlNode, parent: HtmlNode, source: string): number | null {
  const { start, end } = node.position ?? parent.position ?? {};
  if (start?.offset === undefined || end?.offset === undefined) return null;
  const at = source.slice(start.offset, end.offset).indexOf(node.value ?? '');
  return at === -1 ? null : start.offset + at;
}

function split(value: string, place: number | null, { numbers, textOffset, isInLink }: Marking): HtmlNode[] {
  if (place === null) return [{ type: 'text', value }];
  return cutAtNumbers(value, textOffset + place, numbers).map(({ text, number }) => {
    const node = { type: 'text', value: text };
    if (number === null) return node;
    const index = String(numbers.indexOf(number));
    return {
      type: 'element',
      tagName: 'span',
      properties: { [NUMBER_ATTRIBUTE]: index, ...(isInLink && { [IN_LINK_ATTRIBUTE]: '' }) },
      children: [node],
    };
  });
}
