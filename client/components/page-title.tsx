/** What the browser's tab says; React puts it into the document's head. */
export function PageTitle({ children }: { readonly children: string }) {
  return <title>{`${children} · QPilot`}</title>;
}
