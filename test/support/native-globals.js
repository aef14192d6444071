/**
 * What tests import as `@jest/globals`. Jest makes these anew for each test file, while what Node has loaded stays
 * loaded: here they change for all who import them. A module that is more than a test file may therefore keep none of
 * them, such as a `describe.skip` under another name.
 */
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test;

/** Says which ones are meant from now on. */
export function useGlobals(globals) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } = globals);
}
