/** Compiled schemas are made by `Function()`, which the page's policy refuses; first of all imports, so that none tries. */
import { config } from 'zod';

config({ jitless: true });
