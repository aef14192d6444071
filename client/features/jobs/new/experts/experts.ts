import type { ExpertCardFragment } from '../../../../gql/graphql.ts';

type Card = Pick<ExpertCardFragment, 'expertId' | 'displayName' | 'description' | 'tags'>;

/** Experts that contain every word of a search and have a tag; null for any tag. Case does not matter. */
export function narrowExperts<Expert extends Card>(
  experts: readonly Expert[],
  search: string,
  tag: string | null,
): readonly Expert[] {
  const words = search.toLowerCase().split(/\s+/u).filter(Boolean);
  return experts.filter(({ expertId, displayName, description, tags }) => {
    const text = [expertId, displayName, description, ...tags].join(' ').toLowerCase();
    return words.every((word) => text.includes(word)) && (tag === null || tags.includes(tag));
  });
}

/** All tags in alphabetical order. */
export const tagsOf = (experts: readonly Pick<Card, 'tags'>[]): readonly string[] =>
  [...new Set(experts.flatMap(({ tags }) => tags))].toSorted();

const LONGEST_ID = 64;

/** The id that a name suggests: lower-case letters, digits and single dashes; empty for names in other scripts. */
export const idOfName = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^[-0-9]+/gu, '')
    .slice(0, LONGEST_ID)
    .replaceAll(/(?<!-)-+$/gu, '');
