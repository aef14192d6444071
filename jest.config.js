/** Tests run the TypeScript sources as Node does: types stripped, nothing else transformed. */
export default {
  testEnvironment: '<rootDir>/test/support/environment.ts',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '<rootDir>/test/support/strip-types.js' },
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  // They want a browser, which a fresh machine has not, and take minutes: see jest.browser.config.js.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/browser/'],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  reporters: ['default', '<rootDir>/test/support/plain-reporter.js'],
  modulePathIgnorePatterns: ['<rootDir>/.qpilot'],
  maxWorkers: 2,
  testTimeout: 20_000,
};
