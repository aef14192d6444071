import type { ExpertCardFragment } from '../../../../gql/graphql.ts';

type Card = Pick<ExpertCardFragment, 'expertId' | 'displayName' | 'description' | 'tags'>;

/** Experts that have all words of a search and a tag; null for any. Case does not matter. */
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

/** All tags, each once, in the order of the alphabet. */
export const tagsOf = (experts: readonly Pick<Card, 'tags'>[]): readonly string[] =>
  [...new Set(experts.flatMap(({ tags }) => tags))].toSorted();
