/**
 * A test that fails is tried once more, and its first error is printed: most of them drive real processes, sockets and
 * browsers, on machines whose speed is not ours. The closing lines name the tests that passed only then.
 *
 * Random inputs get no second chance: both attempts of a property draw the same ones.
 */
import { jest } from '@jest/globals';
import fc from 'fast-check';

jest.retryTimes(1, { logErrorsBeforeRetry: true });
fc.configureGlobal({ seed: Date.now() });
