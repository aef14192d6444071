import { pageNonce } from '../lib/page-nonce.ts';

/** The library that locks scrolling behind dialogs asks for the nonce of its style element under this name. */
Object.assign(globalThis, { __webpack_nonce__: pageNonce() });
