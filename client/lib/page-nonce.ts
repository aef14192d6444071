/**
 * The word that the server's content security policy lets style elements of this page carry; empty on the development
 * server, which has no such policy. Scripts need none: they come from the server's own files only.
 */
export const pageNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
