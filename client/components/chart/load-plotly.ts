/** Plotly, which is larger than all the rest of the client and so comes with the first chart. */
export async function loadPlotly() {
  const { default: plotly } = await import('plotly.js-cartesian-dist-min');
  return plotly;
}
