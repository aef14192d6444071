/** Set up before any library is loaded: this has to be the first import of the page. */
import { config } from 'zod';
import { pageNonce } from '../lib/page-nonce.ts';

// Compiled schemas are made by `Function()`, which the page's policy refuses.
config({ jitless: true });
// The library that locks scrolling behind dialogs looks here for the nonce of its style element.
Object.assign(globalThis, { __webpack_nonce__: pageNonce() });
