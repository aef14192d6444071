/** Requests in English. */
import { switchOf } from './category-names.ts';
import type { Place, Topic } from './request.ts';
import {
  bare,
  MODEL_NAME,
  placeIn,
  quoted,
  READ,
  rule,
  topicsIn,
  type BodyRule,
  type Grammar,
  type Groups,
  type Rule,
} from './grammar.ts';

const SET =
  '(?:(?:set|change|put|lower|raise|reduce|increase|decrease|bring|make|use|keep|turn|switch|adjust|update|choose|take|pick|go with|i want|i need) )?(?:the |a |an |its )?';
const TO = '(?: of| level| effort)*(?:\\s*[:=]\\s*| (?:to |at |of |is |be |should be |down to |up to |as )?)';
const NUMBER = '(?<number>-?\\d*[.,]?\\d+)';
const LEVEL = '(?<level>none|no|off|zero|low|little|medium|middle|moderate|high)';
const JOB = '(?:it|this|this job|the job)';
const ADD = '(?:add|append|insert|create|write|include|put)';
const REMOVE = '(?:remove|delete|drop|cut|take out|get rid of)';
const A = '(?:a |an |the |another |one )?(?:new )?';
const CALLED = '(?: (?:about|on|for|called|titled|named|entitled))?';

/** A title of plain words: what follows a title in quotes, or says what its section is for, is no part of it. */
const PLAIN_TITLE = '(?:(?! (?:that|which) )[^"“”`「」『』])+?';
/** A section by its title, on either side of the word. */
const section = (name: string): string =>
  `(?:${A}(?:section|heading|chapter)${CALLED} (?:${quoted(`${name}Quoted`)}|(?<${name}>${PLAIN_TITLE}))|${A}["“]?(?<${name}Other>${PLAIN_TITLE})["”]? (?:section|heading|chapter))`;
/** A new title. */
const NEW_TITLE = `(?:${quoted('toQuoted')}|(?<to>${PLAIN_TITLE}))`;

const WHERE = [
  '(?<side>after|before|below|above|under|at|on|to) (?:the )?line ',
  `(?:(?<line>\\d+)|${quoted('anchor')})`,
].join('');
const AT_TEXT = `(?<textSide>after|before|below|above) ${quoted('beside')}`;
const AT_EDGE = '(?:at|to|on|as) (?:the )?(?<edge>end|bottom|start|beginning|top|last line|first line)';
const IN_SECTION = `(?:to|in|into|under) ${section('inside')}`;
const PLACE = `(?:${WHERE}|${AT_TEXT}|${AT_EDGE}|${IN_SECTION})`;

const placeOf = (groups: Groups): Place =>
  placeIn(groups, /^(?:before|above|at|on|to)$/iu, /^(?:start|beginning|top|first)/iu);

const RULES: readonly Rule[] = [
  rule(READ.temperature, SET, 'temp(?:erature)?', TO, NUMBER),
  rule(READ.temperature, SET, NUMBER, ' (?:as|for) (?:the )?temp(?:erature)?'),
  rule(READ.reasoning, SET, '(?:reasoning|thinking)', TO, LEVEL),
  rule(READ.reasoning, SET, LEVEL, ' (?:the )?(?:reasoning|thinking)(?: level| effort)?'),
  { pattern: /^disable (?:the )?(?:reasoning|thinking)$/iu, read: () => READ.reasoning({ level: 'none' }) },
  rule(
    READ.model,
    '(?:(?:use|set|choose|pick|take|try|run with|switch|change|go|make) )?(?:to |with )?(?:the |its )?model(?:\\s*[:=]\\s*| (?:to |with |is |as )?)["“\'`]?(?<name>[\\w.:/-]*\\w)["”\'`]?',
  ),
  rule(
    READ.model,
    `(?:use|choose|pick|take|try|run (?:it )?(?:on|with)|switch (?:it )?to|change (?:it )?to|go with) ["“'\`]?(?<name>${MODEL_NAME})["”'\`]?(?: as (?:the )?model| model)?`,
  ),
  rule(READ.renameSection, `rename ${section('title')} (?:to|as|into) ${NEW_TITLE}`),
  rule(READ.renameSection, `(?:change|set|rename) (?:the )?heading (?<title>.+?) (?:to|into) ${NEW_TITLE}`),
  rule(READ.describe, `(?:describe|call|name|title|rename) ${JOB}(?: as| to)?(?:: ?| )(?<text>.+)`),
  rule(
    READ.describe,
    `(?:(?:set|change|update|make) )?(?:the |its |job )?(?:job )?(?:description|title|name)(?: of ${JOB})?(?: ?[:=] ?| (?:to|as|should be|is) ?:? ?)(?<text>.+)`,
  ),
  rule(READ.removeLines, `${REMOVE} (?:the )?lines? (?<from>\\d+)(?: ?(?:-|–|to|and|through) ?(?<to>\\d+))?`),
  rule(
    ({ line, by }) => ({ type: 'lines', from: Number(line), to: Number(line), by: bare(by) }),
    '(?:replace|change|set|rewrite) (?:the )?line (?<line>\\d+) (?:with|by|to) (?<by>.+)',
  ),
  rule(
    READ.replaceQuoted,
    `(?:replace|change|swap|substitute) (?<all>all |every |each )?${quoted('old')}(?<everywhere> everywhere)? (?:with|by|to|for|into) ${quoted('by')}(?<also> everywhere)?(?: in (?:the )?(?:instructions|text))?`,
  ),
  rule(
    READ.rewriteSection,
    `(?:replace|rewrite|change|overwrite) ${section('title')} (?:with|by|to) (?<body>.+)`,
  ),
  rule(
    ({ old, by }) => ({ type: 'replace', old: bare(old), by: bare(by), everywhere: false }),
    '(?:replace|change) (?<old>\\S.*?) (?:with|by|to) (?<by>.+?) in (?:the )?(?:instructions|text)',
  ),
  rule(
    ({ old, by }) => ({ type: 'replace', old: bare(old), by: bare(by), everywhere: false }),
    'replace (?<old>\\S.*?) (?:with|by) (?<by>.+)',
  ),
  rule(READ.removeSection, `${REMOVE} ${section('title')}`),
  rule(
    READ.removeQuoted,
    `${REMOVE} (?:(?:the )?(?:line|text|sentence|words) )?${quoted('old')}(?: from (?:the )?(?:instructions|text))?`,
  ),
  rule(
    (groups) => ({ type: 'insert', text: groups['text'] ?? '', place: placeOf(groups) }),
    `${ADD} (?:(?:the |a )?(?:line|text|sentence|words) )?${quoted('text')}(?: ${PLACE})?`,
  ),
  rule(READ.addSection, `${ADD} ${section('title')}(?: (?:at|to) the (?:end|bottom))?`),
  {
    pattern: /^(?:switch|turn|put) (?<way>on|off) (?<name>.+)$/iu,
    read: ({ way, name }) => switchOf(name, way?.toLowerCase() === 'on'),
  },
  {
    pattern: /^(?:switch|turn|put) (?<name>.+?) (?<way>on|off)$/iu,
    read: ({ way, name }) => switchOf(name, way?.toLowerCase() === 'on'),
  },
  {
    pattern: /^(?<way>enable|activate|allow|disable|deactivate|forbid) (?<name>.+)$/iu,
    read: ({ way = '', name }) => switchOf(name, /^(?:enable|activate|allow)$/iu.test(way)),
  },
  {
    pattern:
      /^(?:undo|revert|take back|roll back|go back)(?: (?:that|this|it|your|the|last|previous|latest|changes?|edits?|turn|step|message|one|to))*$/iu,
    read: () => ({ type: 'undo' }),
  },
];

const BODY_RULES: readonly BodyRule[] = [
  rule(
    READ.rewriteSection,
    `(?:replace|rewrite|change|overwrite|set) ${section('title')}(?: with| by| to| as)?`,
  ),
  rule(READ.addSection, `${ADD} ${section('title')}(?: with| with the text)?`),
  rule(
    (groups, body) => ({ type: 'insert', text: body, place: placeOf(groups) }),
    `${ADD} (?:this |the following |a |the )?(?:new )?(?:line |text |sentence |paragraph |lines )?(?:${PLACE})?`,
  ),
];

const TOPIC_WORDS: readonly (readonly [RegExp, readonly Topic[]])[] = [
  [/\btemp(?:erature)?\b/iu, ['TEMPERATURE']],
  [/\b(?:reasoning|thinking)\b/iu, ['REASONING']],
  [/\bmodel\b/iu, ['MODEL']],
  [/\b(?:tools?|categor(?:y|ies))\b|^(?:is|are) .+ (?:on|off|enabled|disabled|allowed)\b/iu, ['TOOLS']],
  [/\b(?:description|title|called)\b/iu, ['DESCRIPTION']],
  [/\b(?:instructions|sections?|headings?)\b/iu, ['INSTRUCTIONS']],
  [/\b(?:settings?|config(?:uration)?)\b/iu, ['TEMPERATURE', 'REASONING', 'MODEL', 'TOOLS']],
];

function asksAbout(sentence: string): readonly Topic[] {
  const isQuestion = /^(?:what|which|how|is|are|show|tell|list|display|give me|where)\b/iu.test(sentence);
  const isAdvice = /\b(?:should|would|could|better|best|recommend|think|why|mean|if)\b/iu.test(sentence);
  if (!isQuestion || isAdvice || sentence.length > 100) return [];
  return topicsIn(sentence, TOPIC_WORDS);
}

/** English. */
export const ENGLISH: Grammar = {
  rules: RULES,
  bodyRules: BODY_RULES,
  fillers: [
    /^(?:(?:please|and|then|also|now|ok|okay|hi|hello|hey|so|next|finally|just|let's|(?:can|could|would|will) you|i(?:'d| would) like(?: you)? to|i want(?: you)? to|we need to)\b[\s,]*)+/iu,
    /(?:[\s,]*\b(?:please|thanks|thank you|for me|now|too|instead|as well|again|for (?:this|the) job))+$/iu,
  ],
  isWithheld: (sentence) =>
    /^(?:don['’]?t|do not|never|not|no need|if|when|unless|should|shall|why|maybe|perhaps|avoid|stop|without|suppose)\b/iu.test(
      sentence,
    ),
  asksAbout,
};
