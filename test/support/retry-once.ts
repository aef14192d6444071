/**
 * For tests in a browser, whose timing is not ours: one that fails is tried once more, and its first error is
 * printed.
 */
import { jest } from '@jest/globals';

jest.retryTimes(1, { logErrorsBeforeRetry: true });
