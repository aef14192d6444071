import { describeNative } from '../support/engines.ts';
import { CORPUS } from './attack.ts';
import { attacksOn } from './attacks.ts';

describeNative('hostile techniques', () => attacksOn('native', CORPUS));
