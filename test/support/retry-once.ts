/**
 * A test that fails is tried once more, and its first error is printed: most of them drive real processes, sockets and
 * browsers, on machines whose speed is not ours. The closing lines name the tests that passed only then.
 */
import { jest } from '@jest/globals';

jest.retryTimes(1, { logErrorsBeforeRetry: true });
