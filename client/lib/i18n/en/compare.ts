/** Texts of the page that compares. */
export const compare = {
  title: 'Compare',
  now: 'now',
  hoursAgo: (hours: number) =>
    hours === 24 ? '1 day ago' : hours % 24 === 0 ? `${hours / 24} days ago` : `${hours} hours ago`,
  onDay: 'On a day…',
  chipOf: (side: string) => `Chip ${side}`,
  timeOf: (side: string) => `Time of ${side}`,
  dayOf: (side: string) => `Day of ${side}`,
  swap: 'Swap A and B',
  of: 'What is compared',
  qubits: 'Qubits',
  couplings: 'Couplings',
  onlyQubits: 'Only some qubits',
  allQubits: 'All qubits',
  byNumber: 'Qubits of two chips are paired by their numbers; these say nothing of where they are.',
  nothing: 'Neither side has values of this kind.',
  metrics: 'All metrics, the largest difference of the medians first',
  medianOf: (side: string) => `Median of ${side}`,
  countOf: (side: string) => `Values of ${side}`,
  share: 'B − A, relative to A',
  sideBySide: 'side by side, the largest difference first',
  moved: (moved: number, both: number) =>
    both === 0
      ? 'Nothing has a value on both sides.'
      : `${moved} of ${both} with a value on both sides differ.`,
  spread: 'Spread, relative to the median',
  qubitsOf: (side: string) => `Chosen qubits of ${side}`,
} as const;
