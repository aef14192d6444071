/**
 * Keeps the thoughts of local models out of their answers: some servers leave them in the text, between `<think>` tags
 * before the answer. Anywhere else the tags are the model's own words.
 */

/** Text that is certain to be part of the answer, and text that is certain to be part of the thoughts before it. */
export type FilteredText = { readonly answer: string; readonly thought: string };

/** Text is given piece by piece. */
export type ThinkTagFilter = {
  add(text: string): FilteredText;
  /** Text that was held back and turned out not to be a tag. */
  end(): string;
};

const TAGS = [
  { open: '<think>', close: '</think>' },
  { open: '<thinking>', close: '</thinking>' },
] as const;

/** A filter for one response; its result does not depend on how the text was cut into pieces. */
export function createThinkTagFilter(): ThinkTagFilter {
  let held = '';
  let state: 'before' | 'answering' | { readonly close: string } = 'before';
  let skippedThoughts = false;

  function add(text: string): FilteredText {
    if (state === 'answering') return { answer: text, thought: '' };
    held += text;
    let thought = '';
    for (;;) {
      if (typeof state === 'object') {
        const at = held.indexOf(state.close);
        if (at < 0) {
          const cut = Math.max(0, held.length - state.close.length);
          thought += held.slice(0, cut);
          held = held.slice(cut);
          return { answer: '', thought };
        }
        thought += held.slice(0, at);
        held = held.slice(at + state.close.length);
        skippedThoughts = true;
        state = 'before';
        continue;
      }
      const start = held.trimStart();
      const tag = TAGS.find(({ open }) => start.startsWith(open));
      if (tag !== undefined) {
        held = start.slice(tag.open.length);
        state = { close: tag.close };
        continue;
      }
      if (TAGS.some(({ open }) => open.startsWith(start))) return { answer: '', thought };
      state = 'answering';
      return { answer: release(), thought };
    }
  }

  /** The blank lines behind the thoughts belong to them. */
  function release(): string {
    const text = skippedThoughts ? held.trimStart() : held;
    held = '';
    return text;
  }

  return { add, end: () => (typeof state === 'object' ? '' : release()) };
}
