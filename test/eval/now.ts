/**
 * The time at which all questions are asked: in the night after the last run of the demo, so that its data are fresh.
 */
export const EVAL_NOW = new Date('2026-05-20T01:00:00Z');
