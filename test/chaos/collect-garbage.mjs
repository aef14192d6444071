/** Preloaded into processes of the soak: collects garbage regularly, so that the heap shows what is kept. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const EVERY_MS = 15_000;

setFlagsFromString('--expose-gc');
/** @type {() => void} */
const collect = runInNewContext('gc');
setInterval(() => collect(), EVERY_MS).unref();
