import type { MuteOfChipFragment } from '../../../gql/graphql.ts';

/** A value by its part and its key. */
export type ValueKey = { readonly partId: string; readonly parameter: string | null };

/** Finds the mute of a value, or of all values of its part. */
export function finder(mutes: readonly MuteOfChipFragment[]) {
  const byKey = new Map(mutes.map((mute) => [`${mute.partId} ${mute.parameter ?? ''}`, mute]));
  return ({ partId, parameter }: ValueKey): MuteOfChipFragment | undefined =>
    byKey.get(`${partId} ${parameter ?? ''}`) ?? byKey.get(`${partId} `);
}
