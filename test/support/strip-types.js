import { createHash } from 'node:crypto';
import { stripTypeScriptTypes } from 'node:module';

/** Jest transform: blanks the types out in place, so line numbers stay true without source maps. */
function strip(source) {
  return { code: stripTypeScriptTypes(source, { mode: 'strip' }) };
}

export default {
  process: strip,
  processAsync: async (source) => strip(source),
  getCacheKey: (source) => createHash('sha256').update(process.version).update(source).digest('hex'),
};
