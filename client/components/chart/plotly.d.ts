/** The part of Plotly that {@link file://./plot.tsx} calls; the package brings no types. */
declare module 'plotly.js-cartesian-dist-min' {
  type Json = Readonly<Record<string, unknown>>;
  /** An element that Plotly draws in. */
  export type PlotElement = HTMLElement & {
    on(event: 'plotly_click', listener: (event: PlotClick) => void): void;
    removeAllListeners?(event: 'plotly_click'): void;
  };
  /** What was clicked on. */
  export type PlotClick = {
    readonly points: readonly { readonly x: unknown; readonly y: unknown; readonly customdata?: unknown }[];
  };
  type Plotly = {
    react(element: HTMLElement, data: readonly Json[], layout: Json, config: Json): Promise<PlotElement>;
    purge(element: HTMLElement): void;
    /** A `data:` address. */
    toImage(figure: Json, options: Json): Promise<string>;
    downloadImage(figure: Json, options: Json): Promise<string>;
  };
  const plotly: Plotly;
  export default plotly;
}
