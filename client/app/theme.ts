import { createTheme, type CSSVariablesResolver } from '@mantine/core';

/**
 * Calm and dense. Text and page colours are those of `client/charts/plotly-figure.ts`, so that charts sit in the
 * page.
 */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 },
  autoContrast: true,
  respectReducedMotion: true,
  defaultRadius: 'sm',
  cursorType: 'pointer',
  fontFamily:
    'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans JP", "Hiragino Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '1.25rem' }, h2: { fontSize: '0.9375rem' }, h3: { fontSize: '0.875rem' } },
  },
  components: {
    Text: { defaultProps: { size: 'sm' } },
    Badge: { defaultProps: { tt: 'none', fw: 600 } },
    // The placeholder is a child that a menu may not have; focus goes to the first item instead.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
  },
  colors: {
    dark: [
      '#e6e8eb',
      '#b6bcc4',
      '#9198a1',
      '#6b737d',
      '#31363d',
      '#272c32',
      '#1d2126',
      '#16191d',
      '#111417',
      '#0c0e10',
    ],
  },
});

/** Mantine's own faint grey, its red of errors, and its words on light badges are too faint to be read (WCAG AA). */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#59636e',
    '--mantine-color-text': '#1f2328',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-red-text': '#c92a2a',
    '--mantine-color-teal-light-color': '#066649',
    '--mantine-color-red-light-color': '#a61e1e',
    '--mantine-color-yellow-light-color': '#7a4b00',
    '--mantine-color-indigo-light-color': '#364fc7',
    '--mantine-color-gray-light-color': '#495057',
  },
  dark: {
    '--mantine-color-dimmed': '#9198a1',
    '--mantine-color-placeholder': '#8a929c',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-red-text': '#ff8787',
  },
});
