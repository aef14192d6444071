/** The overall judgement of an answer about a chip, a qubit or a result, best first. */
export const ASSESSMENTS = ['GOOD', 'WARNING', 'BAD'] as const;
/** One of {@link ASSESSMENTS}. */
export type Assessment = (typeof ASSESSMENTS)[number];

/** The last line of an answer in Markdown that says its assessment. */
export const assessmentLine = (assessment: Assessment): string => `[assessment: ${assessment.toLowerCase()}]`;

/** A model's word for it, in whatever case; null for any other word. */
export const readAssessment = (word: string): Assessment | null =>
  ASSESSMENTS.find((assessment) => assessment === word.trim().toUpperCase()) ?? null;
