import { TOOL_CATEGORIES } from '../../experts/tool-categories.ts';
import names from './category-names.json' with { type: 'json' };
import type { Request } from './request.ts';

/** Other names of categories than their own and their titles. */
const ALSO: ReadonlyMap<string, string> = new Map(Object.entries(names));

/** Words around the name of a category. */
const AROUND = /^(?:the|all)\s+|\s*の?(?:tools?|category|access|feature|ツール|カテゴリー?|機能)$/giu;

/** A request to switch a category; null for an unknown name. */
export function switchOf(written: string | undefined, isOn: boolean): Request | null {
  const name = (written ?? '').toLowerCase().trim();
  const words = [name, name.replaceAll(AROUND, '').trim()];
  const category = TOOL_CATEGORIES.find(({ name: id, title }) =>
    words.some((word) => id === word || title.toLowerCase() === word || id === ALSO.get(word)),
  );
  return category === undefined ? null : { type: 'switch', category, isOn };
}
