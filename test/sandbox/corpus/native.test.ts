import { BARE_PYTHON } from '../support/bare-python.ts';
import { describeNative } from '../support/engines.ts';
import { CORPUS } from './attack.ts';
import { attacksOn } from './attacks.ts';
import type { Technique } from './technique.ts';

const needsLibraries = ({ script }: Technique): boolean => /\b(?:numpy|pandas)\b/.test(script);

/**
 * An interpreter with all its libraries takes half a second of a core to start, one without a seventh of that. `npm run
 * sandbox-corpus` tries every technique where the libraries are.
 */
describeNative('hostile techniques with libraries', () => attacksOn('native', CORPUS.filter(needsLibraries)));
describeNative('hostile techniques', () =>
  attacksOn(
    'native',
    CORPUS.filter((technique) => !needsLibraries(technique)),
    { python: BARE_PYTHON },
  ),
);
