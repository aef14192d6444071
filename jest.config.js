/** Tests run the TypeScript sources as Node does, because Node loads them: see test/support/native-runner.js. */
export default {
  testEnvironment: '<rootDir>/test/support/environment.ts',
  testRunner: '<rootDir>/test/support/native-runner.js',
  transform: {},
  testMatch: ['<rootDir>/test/**/*.test.ts', '<rootDir>/packages/*/test/**/*.test.ts'],
  // They want a browser, which a fresh machine has not, and take minutes: see jest.browser.config.js.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/browser/'],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  setupFilesAfterEnv: ['<rootDir>/test/support/retry-once.ts', '<rootDir>/test/support/strict-check.ts'],
  reporters: ['default', '<rootDir>/test/support/plain-reporter.js'],
  modulePathIgnorePatterns: ['<rootDir>/.qpilot'],
  maxWorkers: 2,
  // What was loaded stays loaded; this also has every file run in a worker, which in watch mode is a new one each time.
  workerIdleMemoryLimit: '1500MB',
  // Only what hangs meets it: a slow or busy machine may take many times as long as a quick one.
  testTimeout: 180_000,
};
