import { describe } from '@jest/globals';
import { CORPUS } from './attack.ts';
import { attacksOn } from './attacks.ts';
import { JAVASCRIPT } from './javascript.ts';

/**
 * On Pyodide each attack takes a process of its own for a second or more: those of JavaScript and every fourth one of
 * the others are tried here, all of them by
 * `npm run sandbox-corpus` and with QPILOT_WHOLE_CORPUS=1.
 */
const PYODIDE_STEP = process.env['QPILOT_WHOLE_CORPUS'] === '1' ? 1 : 4;

describe('hostile techniques, on pyodide', () =>
  attacksOn(
    'pyodide',
    CORPUS.filter((technique, index) => index % PYODIDE_STEP === 0 || JAVASCRIPT.includes(technique)),
  ));
