/** A person, and the columns that say so. */

/** Somebody who may sign in. */
export type Person = {
  readonly id: string;
  readonly name: string;
  /** As it is shown. Several people may have one, and none says who somebody is. */
  readonly email: string | null;
  readonly isAdmin: boolean;
  readonly disabled: boolean;
  /** Whether a sign-in also asks for a code; null: it never was asked for. */
  readonly twoFactorEnabled: boolean | null;
  /** Groups that an identity provider named at the last sign-in. */
  readonly groups: readonly string[];
};

/** Columns of a person, of `auth.user as u`. */
export const PERSON = [
  'u.id',
  'u.name',
  'u.address as email',
  'u.isAdmin',
  'u.disabled',
  'u.twoFactorEnabled',
  'u.groups',
] as const;
type PersonRow = Omit<Person, 'groups'> & { readonly groups: string | null };
export const personOf = ({ groups, ...row }: PersonRow): Person => ({
  ...row,
  groups: groups === null ? [] : (JSON.parse(groups) as string[]),
});
