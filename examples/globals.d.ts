/** The part of Plotly that the examples call; the package brings no types. */
declare module 'plotly.js-cartesian-dist-min' {
  type Json = Readonly<Record<string, unknown>>;
  const plotly: {
    newPlot(element: HTMLElement, data: readonly Json[], layout: Json, config: Json): Promise<unknown>;
    purge(element: HTMLElement): void;
  };
  export default plotly;
}

/** Where the server is, whose pages show records; see `proxy.ts`. */
declare const QPILOT_URL: string;
