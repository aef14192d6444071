import { BARE_PYTHON } from '../support/bare-python.ts';
import { describeNative } from '../support/engines.ts';
import { CORPUS } from './attack.ts';
import { attacksOn } from './attacks.ts';
import type { Technique } from './technique.ts';

/** Every second one is tried here, which leaves the suite its ten minutes; all of them with QPILOT_WHOLE_CORPUS=1. */
const STEP = process.env['QPILOT_WHOLE_CORPUS'] === '1' ? 1 : 2;
const TRIED = CORPUS.filter((_, index) => index % STEP === 0);

const needsLibraries = ({ script }: Technique): boolean => /\b(?:numpy|pandas)\b/.test(script);

/**
 * An interpreter with all its libraries takes half a second of a core to start, one without a seventh of that. `npm run
 * sandbox-corpus` tries every technique where the libraries are.
 */
await describeNative('hostile techniques with libraries', () =>
  attacksOn('native', TRIED.filter(needsLibraries)),
);
await describeNative('hostile techniques', () =>
  attacksOn(
    'native',
    TRIED.filter((technique) => !needsLibraries(technique)),
    { python: BARE_PYTHON },
  ),
);
