/** What the tests of every package share: waiting for a condition, and child processes that end with their test. */
export { startChild, type Child } from './child.ts';
export { until } from './until.ts';
