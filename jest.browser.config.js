import config from './jest.config.js';

/** The tests that drive the web client and look at charts in a real browser: `npm run test:browser`. */
export default {
  ...config,
  testMatch: ['<rootDir>/test/browser/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  // A file that fails runs once more as a whole: see scripts/test-browser.ts.
  setupFilesAfterEnv: ['<rootDir>/test/support/strict-check.ts'],
  // Enough for a machine that is six times as slow: see PATIENCE_MS in test/browser/chromium.ts.
  testTimeout: 300_000,
};
