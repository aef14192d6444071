/** The title of the browser's tab; React moves it into the document's head. */
export function PageTitle({ children }: { readonly children: string }) {
  return <title>{`${children} · QPilot`}</title>;
}
