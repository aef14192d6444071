/** Texts of the tour. */
export const tour = {
  title: 'Tour',
  offer: 'New here? Take the tour (1 min)',
  take: 'Take the tour (1 min)',
  decline: 'No tour',
  end: 'End the tour',
  back: 'Back',
  next: 'Next',
  step: (number: number, of: number) => `Step ${number} of ${of}`,
  steps: {
    changes: {
      title: 'What changed',
      text: 'The page of a chip begins with its health and with what changed since your last visit, or since a time that you choose. Each line opens the qubit or coupling that it is about; "Explain" asks the copilot.',
    },
    map: {
      title: 'The chip as a map',
      text: 'Colour qubits and couplings by any metric, by state, or by the change since a date. Click one to open it; draw a box or Shift-click to select several, and ask about them or plan a job.',
    },
    ask: {
      title: 'Ask',
      text: 'Ask in plain words, in English or Japanese. Point at a number of the answer to see the stored result that it comes from. Without a model of a provider, the offline analyst answers.',
    },
    keep: {
      title: 'Keep what you use',
      text: 'The pin beside a chart, map or table puts it on a board, which reads stored values anew. Ctrl+K goes anywhere; ? lists all keys, and this tour.',
    },
  },
} as const;
