/** What a model taught by refusing requests. */
import type { ProviderFault } from './provider-errors.ts';

/** Kept for each model of each server; all of it may be wrong, so it is forgotten after a day. */
export type Lesson = {
  /** Parameters that it does not know. */
  readonly refused: readonly string[];
  /** Whether it refused a picture. */
  readonly isBlind: boolean;
  /** Its context window, as its error named it; null if none did. */
  readonly contextTokens: number | null;
};

/** The lessons of one model. */
export type Lessons = {
  readonly current: () => Lesson;
  readonly learn: (more: Partial<Lesson>) => void;
};

export const NO_LESSON: Lesson = { refused: [], isBlind: false, contextTokens: null };

/** How long a lesson holds: a server may be updated, and a refusal may have been of one request only. */
const HOLDS_MS = 24 * 3_600_000;

/** A lesson, and when its last part was learned, in milliseconds since 1970. */
export type DatedLesson = { readonly lesson: Lesson; readonly at: number };

type LessonOptions = {
  /** What was kept. */
  readonly start?: DatedLesson | null;
  /** Keeps each new state. */
  readonly keep?: (learned: DatedLesson) => void;
  readonly now?: () => number;
};

export function createLessons({ start = null, keep, now = Date.now }: LessonOptions = {}): Lessons {
  let learned = start;
  const current = () => (learned !== null && now() - learned.at < HOLDS_MS ? learned.lesson : NO_LESSON);
  return {
    current,
    learn(more) {
      const before = current();
      const refused = [...new Set([...before.refused, ...(more.refused ?? [])])];
      learned = { lesson: { ...before, ...more, refused }, at: now() };
      keep?.(learned);
    },
  };
}

/** Names of a refused picture in the words of vLLM, llama.cpp, Ollama, OpenAI, DeepSeek, Groq and Mistral. */
const NO_IMAGES =
  /image[_ ](?:url|input)s?\b.{0,60}(?:not supported|unsupported|unknown variant|invalid|does not)|(?:not support|unsupported|cannot (?:read|process|accept)|no endpoints? found that support).{0,40}\b(?:images?|vision|multimodal)|(?:not a multimodal model|missing data required for image input|mmproj|unknown variant [`'"]image_url)/i;

/** Whether an error says that the model reads no pictures. */
export const refusesImages = (detail: string): boolean => NO_IMAGES.test(detail);

/** The words of OpenAI, vLLM and OpenRouter; llama.cpp; LM Studio; Anthropic; Gemini; Mistral. */
const WINDOWS = [
  /maximum context length (?:is|of) ([\d,]+)/i,
  /available context size \(([\d,]+)/i,
  /context length of (?:only )?([\d,]+)/i,
  /tokens > ([\d,]+) maximum/i,
  /maximum number of tokens allowed \(([\d,]+)/i,
  /model with ([\d,]+) maximum context length/i,
];

/** The context window that an error about a too long request names; null where it names none. */
export function windowIn(detail: string): number | null {
  for (const words of WINDOWS) {
    const tokens = Number(words.exec(detail)?.[1]?.replaceAll(',', ''));
    if (tokens >= 512) return tokens;
  }
  return null;
}

/**
 * Signed or encrypted thoughts that cannot be read, in the words of Anthropic (`Invalid signature in thinking block`),
 * OpenAI (`invalid_encrypted_content`, `encrypted content … could not be verified`) and Gemini (`Corrupted thought signature`).
 */
const THOUGHTS = /\b(?:thinking|thought|reasoning|encrypted[_ ]content)\b/i;
const UNREADABLE = /invalid|corrupt|could not be (?:verified|decrypted|parsed)|cannot be modified|not valid/i;

/** Whether an error says that thoughts which went back are of no use to this server. */
export const refusesThoughts = (
  fault: Pick<ProviderFault, 'status' | 'names' | 'detail'> | null,
): boolean => {
  if (fault?.status !== 400) return false;
  const words = [fault.detail, ...fault.names.map((name) => name.replaceAll('_', ' '))].join(' ');
  return THOUGHTS.test(words) && UNREADABLE.test(words);
};
