/** Texts of the settings page. */
export const settings = {
  title: 'Settings',
} as const;
