import fc from 'fast-check';

/** Pieces that secrets are made of, whole and not, for properties of their redaction. */
// prettier-ignore
const PIECES = [
  'sk-', 'sk-ant-', 'abcdefgh', 'A1b2C3d4', 'eyJ', 'eyJhbGciOiJI', '.', '-', '_', ' ', '  ', '\n', '"', "'", '\\', '\\n',
  '://', ':', '/', '@', 'user', '4000', 'bearer ', 'Basic ', 'cookie', 'set-cookie', 'authorization', '=', ': ', ';', ',',
  '`', '|', 'password', 'api', 'key', 'token', 'secret', ' is ', 'null', 'please ask', '[redacted]', '-----BEGIN ', 'KEY',
  '-----', '-----END ', 'ghp_', 'abcdefghijklmnopqrstuvwxyz', '12345678', 'µ', '😀', '\\"', '=>',
];

/** Texts made of the words and marks that secrets have, in any order. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 30 })
  .map((pieces) => pieces.join(''));
