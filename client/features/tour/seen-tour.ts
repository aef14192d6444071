const keyOf = (personId: string): string => `qpilot.tour.${personId}`;

/** Whether this person took or declined the tour in this browser. */
export const hasSeenTour = (personId: string): boolean => localStorage.getItem(keyOf(personId)) !== null;

export const rememberTour = (personId: string): void => localStorage.setItem(keyOf(personId), 'seen');
