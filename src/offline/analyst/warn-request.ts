/**
 * Recognises a wish to be warned later: `warn me when T1 of any qubit halves`. Nothing here can wait, and only a person saves
 * a rule: the answer leads to its form, with the words as the text of the rule.
 */
import { tidied } from '../../domain/questions/lexicon.ts';
import type { AnswerWords } from './messages.ts';

const ENGLISH =
  /^(?:(?:please|hi|hello|hey)[,!]?\s+|(?:can|could|would|will) you\s+(?:please\s+)?)*(?:warn|alert|notify|message|e-?mail|ping)\s+(?:me|us)\s+(?:when(?:ever)?|if|as soon as|once)\s+(.+?)[.?!]*$/iu;
const JAPANESE =
  /^(?:(Q?\d+(?:-Q?\d+)?|いずれかの量子ビット|どれかの量子ビット|量子ビット)の)?([\w]+)が\s*(?:([\d.]+)\s*([^\s\d未以をにより]+)?\s*(?:を|より|に)?\s*(未満|以下|下回|超え|以上|上回)|(半分)).{0,8}?(?:たら|とき|時|場合).{0,4}?(?:警告|通知|アラート|知らせ)/iu;
/** A question about the past, not a wish. */
const PAST = /\b(?:was|were|did|had|has been)\b/iu;
/** Most of a question that becomes a rule, and of the question with its courtesies. */
const LONGEST = 200;
const LONGEST_ASKED = 300;
/** The chip of the prompt: the selected one, else the one that is meant without words. */
const CHIP = /^(?:Selected chip|No chip is selected; [^:]*): ([^\s,]+),/mu;

/** The text of the rule that somebody wishes for; null for any other message. */
export function warnRequestIn(question: string, instructions: string): string | null {
  const asked = tidied(question).trim();
  if (asked.length > LONGEST_ASKED) return null;
  const [, said] = ENGLISH.exec(asked) ?? [];
  const rule = said === undefined ? fromJapanese(asked) : PAST.test(said) ? null : asRule(said);
  if (rule === null || rule.length > LONGEST) return null;
  const chip = CHIP.exec(instructions)?.[1];
  return chip === undefined ? rule : withChip(rule, chip);
}

/** As rules are written; what is not understood stays, and the form says what would be right. */
const asRule = (said: string): string =>
  said
    .replace(/^the\s+/iu, '')
    .replace(/^(.+?)\s+(?:of|on)\s+(?:an?|some|one)\s+(qubit|coupling)\b/iu, '$1 of any $2')
    .replace(
      /^an?y?\s+(qubit|coupling)['’]s\s+(.+?)\s+(?=(?:falls|drops|goes|rises|gets|sinks|climbs|worsens|halves|doubles|is|below|above|under|over)\b)/iu,
      '$2 of any $1 ',
    )
    .replace(/^an?\s+(qubit|coupling)\b/iu, 'any $1')
    .replace(/\b(?:falls|drops|goes|rises|gets|sinks|climbs)\s+(below|above|under|over)\b/giu, '$1')
    .replace(
      /\b(halves|doubles|(?:falls|drops|rises|worsens)\s+by\s+\S+\s*(?:%|sigma))$/iu,
      '$1 within 7 days',
    );

function fromJapanese(asked: string): string | null {
  const [found, part, parameter, number, unit = '', comparison] = JAPANESE.exec(asked) ?? [];
  if (found === undefined) return null;
  const of = part === undefined || part.includes('量子') ? 'any qubit' : part;
  if (number === undefined) return `${parameter} of ${of} halves within 7 days`;
  const is = /未満|以下|下回/u.test(comparison ?? '') ? 'below' : 'above';
  return `${parameter} of ${of} ${is} ${number} ${unit}`.trim();
}

/** A rule names its chip after its part. */
function withChip(rule: string, chip: string): string {
  if (/\son\s+\S/iu.test(rule)) return rule;
  const part = /^(?:.+?\sof\s)?(?:any\s(?:qubit|coupling)|\S+)/iu.exec(rule)?.[0] ?? '';
  return `${part} on ${chip}${rule.slice(part.length)}`;
}

/** Where the rule is previewed and saved. */
export const warnText = (rule: string, { t }: AnswerWords): string =>
  t('warn', { link: `/alerts?rule=${encodeURIComponent(rule)}` });
