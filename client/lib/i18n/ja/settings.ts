import type { Words } from '../words.ts';

/** Texts of the settings page. */
export const settings: Words['settings'] = {
  title: '設定',
};
