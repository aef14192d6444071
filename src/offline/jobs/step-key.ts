/** The parts of work that the offline analyst knows; each becomes a to-do, a note and a section of the report. */
export type StepKey =
  | 'state'
  | 'changes'
  | 'causes'
  | 'extremes'
  | 'couplings'
  | 'period'
  | 'outliers'
  | 'incidents'
  | 'data'
  | 'analysis'
  | 'needs'
  | 'failures'
  | 'order'
  | 'next'
  | 'recommendations';
