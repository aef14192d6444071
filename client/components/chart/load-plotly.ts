import { pageNonce } from '../../lib/page-nonce.ts';

const STYLE_ID = 'plotly.js-style-global';

/**
 * Plotly, which is larger than all the rest and so comes with the first chart. It writes rules into a style element that
 * it makes, unless there is one: this one carries the word that the page's security policy asks for.
 */
export async function loadPlotly() {
  if (document.getElementById(STYLE_ID) === null) {
    const style = document.createElement('style');
    style.id = STYLE_ID;
    style.nonce = pageNonce();
    document.head.append(style);
  }
  const { default: plotly } = await import('plotly.js-cartesian-dist-min');
  return plotly;
}
