const LONGEST = 64;

/** The id that a name suggests: small letters, digits and single dashes; empty for names in other scripts. */
export const idOfName = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^[-0-9]+/gu, '')
    .slice(0, LONGEST)
    .replaceAll(/-+$/gu, '');
