/**
 * Decodes a model's words into the pieces of an answer as they stream. Models answer in Markdown or in JSON
 * documents, with or without a fence or words around them; the words themselves show which, whatever the model was
 * asked for.
 */
import { readAssessment } from '../../domain/conversation/session.ts';
import type { AnswerPiece } from './answer-piece.ts';
import { createDocumentReader, type DocumentReader } from './document-reader.ts';
import { createJsonMender, type MendedJson } from './json-mender.ts';

export type AnswerDecoder = ReturnType<typeof createAnswerDecoder>;

type Document = {
  readonly reader: DocumentReader;
  readonly mend: (piece: string) => MendedJson;
  /** A model may repeat its whole answer; the second one is ignored. */
  readonly isRepeated: boolean;
  /** The document as it came; null once a piece of it was shown. */
  raw: string | null;
};

type Decoding = ReturnType<typeof createState>;

const createState = () => ({
  /** Words that were not decoded yet. */
  held: '',
  isAtLineStart: true,
  /** Whether nothing but space came so far. */
  isFirst: true,
  document: null as Document | null,
  /** Whether a document has ended and nothing but the end of its fence came since. */
  isClosing: false,
  documents: 0,
  isUnreadable: false,
});

/** A last line such as `[assessment: good]`: the assessment of an answer in Markdown. */
const ASSESSMENT_LINE = /^\[assessment:[ \t]*(?<word>\w+)[ \t]*\]\s*$/iu;
const ASSESSMENT_TO_COME = /^\[assessment:[ \t]*(?:\w+[ \t]*)?(?:\]\s*)?$/iu;
const ASSESSMENT_START = '[assessment:';

/** Decodes one response. */
export function createAnswerDecoder() {
  const state = createState();
  return {
    push(words: string): readonly AnswerPiece[] {
      state.held += words;
      return [...readHeld(state)];
    },
    /** Words that are held back, as text; nothing while a document is being read. */
    flush: (): readonly AnswerPiece[] => (state.document === null ? endHeld(state) : []),
    /** What is still held back; no more words may come. */
    end: () => endHeld(state),
  };
}

/** Decodes as much of the held words as possible. */
function* readHeld(state: Decoding): Generator<AnswerPiece> {
  while (state.held !== '') {
    if (state.isUnreadable) {
      state.held = '';
    } else if (state.document !== null) {
      yield* readDocument(state, state.document);
    } else if (state.isClosing) {
      state.held = state.held.replace(/^[\s`]+/u, '');
      if (state.held === '') return;
      state.isClosing = false;
      yield { type: 'break' };
    } else if (state.isAtLineStart) {
      if (!openLine(state)) return;
    } else {
      yield readLine(state);
    }
  }
}

/** Decides what a line is; false while more of it must come. */
function openLine(state: Decoding): boolean {
  const { held, isFirst } = state;
  if (isAssessmentToCome(held)) return false;
  const start = lineStartOf(held, isFirst || state.documents > 0);
  if (start === null) return false;
  state.isFirst = false;
  state.isAtLineStart = false;
  if (start.type === 'document') {
    state.held = held.slice(start.at);
    state.document = {
      reader: createDocumentReader(),
      mend: createJsonMender(),
      isRepeated: state.documents > 0,
      raw: '',
    };
    state.documents += 1;
  }
  return true;
}

function readLine(state: Decoding): AnswerPiece {
  const { held } = state;
  const end = held.indexOf('\n') + 1;
  state.isAtLineStart = end > 0;
  state.held = end > 0 ? held.slice(end) : '';
  return { type: 'text', text: end > 0 ? held.slice(0, end) : held };
}

function* readDocument(state: Decoding, document: Document): Generator<AnswerPiece> {
  const { reader, mend, isRepeated } = document;
  const { json, rest } = mend(state.held);
  if (document.raw !== null) document.raw += state.held;
  state.held = rest ?? '';
  const pieces = reader.push(json);
  if (isRepeated) {
    if (rest !== null) yield { type: 'dropped', what: 'a second document behind the answer' };
  } else {
    yield* pieces;
    if (pieces.some(({ type }) => type === 'text' || type === 'chart')) document.raw = null;
  }
  if (reader.isBroken && !isRepeated) {
    yield* giveUp(state, document);
  } else if (rest !== null) {
    state.document = null;
    state.isClosing = true;
    state.isAtLineStart = true;
  }
}

/** Pieces shown before stay. A document of which nothing was shown is shown as it came. */
function* giveUp(state: Decoding, { raw }: Document): Generator<AnswerPiece> {
  state.document = null;
  if (raw !== null) {
    state.documents -= 1;
    state.held = raw;
    state.isAtLineStart = false;
    return;
  }
  state.isUnreadable = true;
  yield { type: 'unreadable', what: 'the rest of a document that is not JSON' };
}

function endHeld(state: Decoding): readonly AnswerPiece[] {
  const { held } = state;
  state.held = '';
  if (state.document !== null) {
    return state.document.isRepeated
      ? []
      : [{ type: 'dropped', what: 'the end of a document, which broke off' }];
  }
  const word = ASSESSMENT_LINE.exec(held)?.groups?.['word'];
  if (word !== undefined) return [{ type: 'assessment', assessment: readAssessment(word) }];
  if (held === '' || state.isClosing) return [];
  if (state.isAtLineStart && isBegunDocument(held)) {
    return [{ type: 'dropped', what: 'a document that broke off before its first words' }];
  }
  state.isAtLineStart = false;
  return [{ type: 'text', text: held }];
}

const isAssessmentToCome = (line: string): boolean =>
  ASSESSMENT_START.startsWith(line.toLowerCase()) || ASSESSMENT_TO_COME.test(line);

/** What a line of a model's words starts: text, or a JSON document at an offset. */
type LineStart = { readonly type: 'text' } | { readonly type: 'document'; readonly at: number };

/** First keys of a document: those of the blocks schema, and of the schema before it. */
const KEYS = ['blocks', 'assessment', 'summary', 'explanation', 'potential_issues', 'recommendations'];
/** After other text only a document of blocks counts; an object with another key is more likely an example. */
const LATER_KEYS = ['blocks'];

const FENCE = /^`{3,}[ \t]*(?:json\w{0,2}[ \t]*)?\r?\n/iu;
const FENCE_TO_COME = /^(?:`{1,2}|`{3,}[ \t]*(?:(?:j|js|jso|json\w{0,2})[ \t]*)?\r?)$/iu;
const FIRST_KEY = /^\{\s*"(?<key>[^"]*)"\s*:/u;

/** Decides by its first characters what a line starts, in a fence or not; null while more of it must come. */
function lineStartOf(line: string, isFirst: boolean): LineStart | null {
  const start = (isFirst ? /\S/u : /[^ \t]/u).exec(line)?.index;
  if (start === undefined || FENCE_TO_COME.test(line.slice(start))) return null;
  const fence = FENCE.exec(line.slice(start))?.[0] ?? '';
  const inner = fence === '' ? line.slice(start) : line.slice(start + fence.length).trimStart();
  if (inner === '') return null;
  if (!inner.startsWith('{')) return { type: 'text' };
  const keys = isFirst ? KEYS : LATER_KEYS;
  const key = FIRST_KEY.exec(inner)?.groups?.['key'];
  if (key !== undefined) {
    return keys.includes(key) ? { type: 'document', at: line.length - inner.length } : { type: 'text' };
  }
  const begun = inner.slice(1).trim();
  return keys.some((name) => `"${name}"`.startsWith(begun)) ? null : { type: 'text' };
}

/** Whether a line that ended early was going to be a document. */
const isBegunDocument = (line: string): boolean => /^\s*(?:`{3}.*\n\s*)?\{/u.test(line);
