import config from './jest.config.js';
import { LONG } from './jest.long.config.js';

/** `npm test`: all files that take less than about 20 seconds. */
export default {
  ...config,
  testPathIgnorePatterns: [...config.testPathIgnorePatterns, ...LONG.map((file) => `<rootDir>/${file}$`)],
};
