/** The pages that one can go to from everywhere, in their order; `name` is a key of the common words. */
export const PLACES = [
  { to: '/chips', name: 'chips' },
  { to: '/copilot', name: 'copilot' },
  { to: '/boards', name: 'boards' },
  { to: '/alerts', name: 'alerts' },
  { to: '/jobs', name: 'jobs' },
  { to: '/settings', name: 'settings' },
] as const;
