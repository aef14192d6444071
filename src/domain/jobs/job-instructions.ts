/** Where the instructions of a job come from. One rule, so that form, server and tests cannot differ. Pure. */

/** Highest first; `GENERATED` stands in where neither the expert nor the template holds a word. */
export const INSTRUCTIONS_SOURCES = ['INLINE', 'UPLOAD', 'EXPERT', 'TEMPLATE', 'GENERATED'] as const;
/** One of {@link INSTRUCTIONS_SOURCES}. */
export type InstructionsSource = (typeof INSTRUCTIONS_SOURCES)[number];

/** The texts that there are; null and the empty text both mean that a source was not given. */
export type InstructionsTexts = Readonly<Record<InstructionsSource, string | null>>;

/** The instructions in effect, byte for byte, and where they come from; null where no source gives any. */
export function effectiveInstructions(
  texts: InstructionsTexts,
): { readonly text: string; readonly source: InstructionsSource } | null {
  for (const source of INSTRUCTIONS_SOURCES) {
    const text = texts[source];
    if (text !== null && text !== '') return { text, source };
  }
  return null;
}
