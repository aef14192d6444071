import type { EditorView } from '@uiw/react-codemirror';
import { useCallback, useMemo, useRef } from 'react';

/** Acts on an editor, or as soon as it is there: it may still be on its way when it is asked for. */
export function useEditor() {
  const view = useRef<EditorView | null>(null);
  const waiting = useRef<((view: EditorView) => void) | null>(null);
  const onReady = useCallback((ready: EditorView) => {
    view.current = ready;
    waiting.current?.(ready);
    waiting.current = null;
  }, []);
  return useMemo(() => {
    const withView = (act: (view: EditorView) => void): void => {
      // An editor that was closed has no place on the page any more. The text of a new one comes with the next picture.
      if (view.current?.dom.isConnected) requestAnimationFrame(() => view.current && act(view.current));
      else waiting.current = act;
    };
    return {
      onReady,
      focus: () => withView((ready) => ready.focus()),
      /** Puts the cursor where `place` says, in UTF-16 code units, and brings it into view. */
      goTo: (place: () => number) =>
        withView((ready) => {
          const anchor = Math.min(place(), ready.state.doc.length);
          ready.dispatch({ selection: { anchor }, scrollIntoView: true });
          ready.focus();
        }),
    };
  }, [onReady]);
}
