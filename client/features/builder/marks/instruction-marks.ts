/**
 * What the builder changed in the instructions, inside their editor: changed lines in the gutter, changed words in the
 * text, and a flash where the newest change is. Loaded with the editor; it knows nothing of the builder's session.
 */
import { unifiedMergeView } from '@codemirror/merge';
import { StateEffect, StateField, Transaction, type Extension } from '@codemirror/state';
import { Decoration, EditorView, ViewPlugin, type DecorationSet, type ViewUpdate } from '@codemirror/view';
import { changedRange } from '../model/marks.ts';

/** Extensions that mark what differs from `before`, and bring it into view; null marks nothing. */
export function instructionMarks(before: string | null): Extension {
  if (before === null) return [];
  return [
    unifiedMergeView({
      original: before,
      mergeControls: false,
      gutter: true,
      highlightChanges: true,
      allowInlineDiffs: true,
      syntaxHighlightDeletions: false,
    }),
    ViewPlugin.define((view) => {
      const timer = setTimeout(() => showRange(view, changedRange(before, view.state.doc.toString())));
      return { destroy: () => clearTimeout(timer) };
    }),
  ];
}

type Range = ReturnType<typeof changedRange>;

/** Scrolls to a range, whose lines flash where motion is wanted. */
function showRange(view: EditorView, range: Range): void {
  const from = Math.min(range.from, view.state.doc.length);
  view.dispatch({ effects: [EditorView.scrollIntoView(from, { y: 'center' }), flash.of(range)] });
}

const FLASH_MS = 1_600;

const flash = StateEffect.define<Range | null>();

const flashLine = Decoration.line({ class: 'cm-ai-flash' });

const flashed = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(lines, transaction) {
    let shown = lines.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(flash)) continue;
      const { doc } = transaction.state;
      const starts = new Set<number>();
      if (effect.value) {
        const last = doc.lineAt(Math.min(effect.value.to, doc.length)).number;
        let number = doc.lineAt(Math.min(effect.value.from, doc.length)).number;
        for (; number <= last; number += 1) starts.add(doc.line(number).from);
      }
      shown = Decoration.set([...starts].map((start) => flashLine.range(start)));
    }
    return shown;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Shows changes that were not typed: scrolls to them, and lets their lines flash where motion is wanted. */
class Flashes {
  private readonly view: EditorView;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(view: EditorView) {
    this.view = view;
  }

  update(update: ViewUpdate): void {
    if (!update.docChanged || update.transactions.some(isTyped)) return;
    const range = changedRange(update.startState.doc.toString(), update.state.doc.toString());
    clearTimeout(this.timer);
    // An update must not begin another one.
    this.timer = setTimeout(() => {
      showRange(this.view, range);
      this.timer = setTimeout(() => this.view.dispatch({ effects: flash.of(null) }), FLASH_MS);
    });
  }

  destroy(): void {
    clearTimeout(this.timer);
  }
}

const isTyped = (transaction: Transaction): boolean =>
  transaction.docChanged && transaction.annotation(Transaction.userEvent) !== undefined;

/** Goes along with every editor of instructions. */
export const instructionFlashes: Extension = [
  flashed,
  ViewPlugin.fromClass(Flashes),
  EditorView.theme({
    '.cm-ai-flash': { animation: 'cm-ai-flash 1.6s ease-out' },
    '@keyframes cm-ai-flash': { from: { backgroundColor: 'var(--mantine-color-yellow-light)' } },
    '@media (prefers-reduced-motion: reduce)': { '.cm-ai-flash': { animation: 'none' } },
  }),
];
