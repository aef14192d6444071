/** Host of an address; null without one. */
export const hostOf = (address: string | null): string | null =>
  address === null ? null : (URL.parse(address)?.hostname ?? null);
