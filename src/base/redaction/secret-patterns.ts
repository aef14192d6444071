/**
 * Patterns of secrets in text. Each starts with a telltale word and continues with unambiguous runs, so that a search
 * takes linear time on any text.
 */

/** Replaces a secret; matches no pattern itself. */
export const REDACTED = '[redacted]';

/** One kind of secret, as sources of regular expressions. A reader should see what was there, so its name is kept. */
type SecretPattern = {
  /** Text before the secret, which is kept. */
  readonly kept: string;
  readonly secret: string;
  /** A secret that more text could complete; the end of the text follows. Null where another pattern covers it. */
  readonly begun: string | null;
};

const { raw } = String;

/**
 * A word in capitals and small letters, as far as it has letters of ASCII; the other patterns mean the case they
 * show.
 */
const anyCase = (words: string): string =>
  words.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);

/** In JSON within JSON, quotes have backslashes. */
const QUOTE = raw`(?:\\{0,3}["'\x60])?`;
/** Some or all of one. */
const BEGUN_QUOTE = raw`\\{0,3}["'\x60]?`;
const SEPARATOR = raw`${QUOTE}\s{0,3}(?:=>|=(?!>)|[:：])\s{0,3}`;
/** Headers may also be list items. */
const HEADER_SEPARATOR = raw`(?:${SEPARATOR}|["']\s?,\s?)`;
const NOT_REDACTED = raw`(?!${QUOTE}\[redacted\])`;
const TOKEN = raw`[\w.~+/=-]`;
const BARE = raw`(?:[^\s"'\x60\\,;&<>|]|\\(?!["']))`;
const QUOTED = raw`"(?:[^"\\\r\n]|\\.)+"?|'(?:[^'\\\r\n]|\\.)+'?|\x60[^\x60\r\n]+\x60?|\\{1,3}"[^"\\]+(?:\\+")?`;
/** A lower-case word with another one behind it is prose: `password: please ask`, `the bearer authentication of`. */
const PROSE = raw`[a-z]{1,15}[.,;:!?]? [A-Za-z[]`;
const HAS_DIGIT = raw`(?=[^\s"'\x60,;]{0,64}\d)`;
const NOTHING = raw`(?:${anyCase('null|true|false|none|undefined')})\b`;
/**
 * After neither a letter nor a dash; the letter of an escaped line end does not count. Microseconds have an s
 * at their end.
 */
const WORD_START = raw`(?:(?<![\wµμ-])|(?<=\\[nrt]))`;

const joined = (words: string): string[] => ['', '_', '-'].map((joint) => words.replace(' ', joint));
const SECRET_NAMES = anyCase(
  [
    'password',
    'passwd',
    'passphrase',
    'pwd',
    'パスワード',
    ...['api key', 'access key', 'secret key', 'private key', 'client secret', 'connection string'].flatMap(
      joined,
    ),
    ...['access token', 'auth token', 'refresh token', 'session token', 'id token'].flatMap(joined),
  ].join('|'),
);

/** Any beginning of a word, but not all of it. */
const beginningOf = (word: string): string =>
  `(?:${Array.from(word.slice(1), (_, index) => word.slice(0, index + 1)).join('|')})`;

const PEM_START = '-----BEGIN ';
const PEM_END = raw`-----END [A-Z0-9 ]{1,40}-----`;

/** Words that a key of a well-known service begins with, and how long it is at least behind them. */
const KEY_STARTS: readonly (readonly [start: string, length: number])[] = [
  ['sk-', 8],
  ['sk_live_', 8],
  ['sk_test_', 8],
  ['rk_live_', 8],
  ['ghp_', 16],
  ['gho_', 16],
  ['ghs_', 16],
  ['github_pat_', 16],
  ['glpat-', 16],
  ['xoxb-', 16],
  ['xoxp-', 16],
  ['hf_', 16],
  ['tvly-', 8],
  ['AKIA', 16],
  ['AIza', 30],
];

const PATTERNS: readonly SecretPattern[] = [
  {
    kept: '',
    secret: raw`${PEM_START}[A-Z0-9 ]{1,40}-----[\s\S]*?(?:${PEM_END}|$)`,
    begun: raw`(?:${PEM_START}[A-Z0-9 ]{0,40}(?:-{0,4}|-----(?:(?!${PEM_END})[\s\S])*)|${beginningOf(PEM_START)})`,
  },
  // An address with a password, or with a token in its place; a port does not count.
  {
    kept: raw`:\/\/[^\s:/@"'<>[\]]{0,256}:`,
    secret: raw`(?!\/\/|\d{1,5}[/?#\s"'<>),.;])(?:[^\s"'<>:]|:(?!\/\/)){1,1024}(?=@)`,
    begun: null,
  },
  { kept: raw`:\/\/`, secret: raw`[\w-]{20,256}(?=@)`, begun: raw`[^\s"'<>]*` },
  ...KEY_STARTS.map(([start, length]) => ({
    kept: '',
    secret: raw`${WORD_START}${start}[\w-]{${length},}`,
    begun: raw`${WORD_START}(?:${start}[\w-]*|${beginningOf(start)})`,
  })),
  {
    kept: '',
    secret: raw`${WORD_START}eyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?`,
    begun: raw`${WORD_START}(?:eyJ[\w.-]*|${beginningOf('eyJ')})`,
  },
  {
    kept: raw`(?:${anyCase('set-')})?${anyCase('cookie')}${HEADER_SEPARATOR}`,
    secret: raw`${NOT_REDACTED}${QUOTE}[\w.$!#%*+^~-]{1,128}=[^\s;,"'\\]+(?:;\s?[\w-]{1,64}(?:=[^\s;"'\\]*)?)*`,
    begun: raw`${BEGUN_QUOTE}[\w.$!#%*+^~-]*(?:=[^\s;,"'\\]*(?:;\s?[^\s;"'\\]*)*)?`,
  },
  {
    kept: raw`${anyCase('authorization')}${HEADER_SEPARATOR}`,
    secret: raw`${NOT_REDACTED}${QUOTE}(?:(?:${anyCase('bearer|basic|digest|token|apikey')})\s{1,3}(?!\[redacted\])[^\s"',;]+|${HAS_DIGIT}[^\s"',;]{6,})`,
    begun: raw`${BEGUN_QUOTE}[^\s"',;]*(?:\s{1,3}[^\s"',;]*)?`,
  },
  {
    kept: raw`\b${anyCase('bearer')}\s{1,4}`,
    secret: raw`(?!${PROSE})${TOKEN}{8,}`,
    begun: raw`${TOKEN}*[.,;:!?]? ?`,
  },
  {
    kept: raw`\b${anyCase('basic')}\s{1,3}`,
    secret: raw`(?=[A-Za-z0-9+/]*[a-z][A-Z])[A-Za-z0-9+/]{12,}={0,2}`,
    begun: raw`[A-Za-z0-9+/]*=?`,
  },
  {
    kept: raw`(?:${SECRET_NAMES})${SEPARATOR}`,
    secret: raw`${NOT_REDACTED}(?!${NOTHING})(?:${QUOTED}|(?!(?<=[:：]\s{1,3})${PROSE})${BARE}+)`,
    begun: raw`(?:"(?:[^"\\\r\n]|\\.)*|'(?:[^'\\\r\n]|\\.)*|\x60[^\x60\r\n]*|\\{0,3}"[^"\\]*|${BARE}*)\\{0,3}[.,;:!?]? ?`,
  },
  {
    kept: raw`(?:${anyCase('secret|token')})${SEPARATOR}${QUOTE}`,
    secret: raw`(?=${TOKEN}{0,64}\d)${TOKEN}{8,}`,
    begun: raw`${TOKEN}*`,
  },
  {
    kept: raw`(?:${anyCase('password|passphrase|api[ _-]?key')}) {1,3}(?:${anyCase('is|was')}) {1,3}`,
    secret: raw`${NOT_REDACTED}${HAS_DIGIT}[^\s,;]{4,}`,
    begun: raw`[^\s,;]*`,
  },
];

/** Alternatives, each with one capturing group for the part that is kept (Node 22 lacks duplicate named groups). */
const anyOf = (patterns: readonly { readonly kept: string; readonly rest: string }[]): string =>
  patterns.map(({ kept, rest }) => `(${kept})${rest}`).join('|');

/** Every secret in a text; {@link keptOf} returns the prefix to keep. */
export const SECRET = new RegExp(anyOf(PATTERNS.map(({ kept, secret }) => ({ kept, rest: secret }))), 'g');

/** An incomplete secret at the end of a text; {@link keptOf} returns the prefix to keep. */
export const BEGUN_SECRET = new RegExp(
  `(?:${anyOf(PATTERNS.flatMap(({ kept, begun }) => (begun === null ? [] : [{ kept, rest: begun }])))})$`,
  'g',
);

/** The prefix to keep, from the groups of a match. */
export const keptOf = (groups: readonly (string | undefined)[]): string =>
  groups.find((group) => group !== undefined) ?? '';
