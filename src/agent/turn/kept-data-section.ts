import { countOf } from '../../domain/text/display-text.ts';
import type { SessionDataEntry } from '../../stores/session-store.ts';
import type { PromptSection } from '../prompt/prompt-section.ts';

/** Keys that are named; the newest ones, for it is those that a follow-up question means. */
const NAMED = 20;

/** Tells the model what earlier turns put aside, so that "now plot it" needs no second fetch; null for nothing. */
export function keptDataSection(entries: readonly SessionDataEntry[]): PromptSection | null {
  if (entries.length === 0) return null;
  const named = entries.slice(-NAMED);
  const rest = entries.length - named.length;
  return {
    id: 'kept-data',
    text: [
      'Results kept from earlier in this conversation, oldest first, for execute_python_analysis and make_chart:',
      ...named.map((entry) => `- ${lineOf(entry)}`),
      ...(rest > 0 ? [`${countOf(rest, 'older key')} not named.`] : []),
      'A result is as old as said here; fetch it again where newer values are wanted.',
    ].join('\n'),
  };
}

function lineOf({ key, bytes, updatedAt, freshness }: SessionDataEntry): string {
  const measured = freshness?.newestAt ? `, newest value measured ${minute(freshness.newestAt)}` : '';
  return `data[${JSON.stringify(key)}]: ${Math.ceil(bytes / 1000)} kB, kept ${minute(updatedAt)}${measured}`;
}

const minute = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
