/**
 * What the builder changed in the instructions, inside their editor: changed lines in the gutter, changed words in the
 * text, and a flash at the newest change. Loaded with the editor; independent of the builder's session.
 */
import { getOriginalDoc, originalDocChangeEffect, unifiedMergeView } from '@codemirror/merge';
import {
  ChangeSet,
  EditorState,
  StateEffect,
  StateField,
  Transaction,
  type Extension,
} from '@codemirror/state';
import { Decoration, EditorView, ViewPlugin, type DecorationSet, type ViewUpdate } from '@codemirror/view';
import { changedRange, originalOf, type Marks } from '../model/marks.ts';

/** Extensions that mark what the builder changed in a text, and scroll to it; null marks nothing. */
export function instructionMarks(marks: Marks['instructions'], text: string): Extension {
  if (marks === null) return [];
  const original = originalOf(marks, text);
  return [
    unifiedMergeView({
      original,
      mergeControls: false,
      gutter: true,
      highlightChanges: true,
      allowInlineDiffs: true,
      syntaxHighlightDeletions: false,
    }),
    // What the user types goes into both texts, so that it is not marked.
    EditorState.transactionExtender.of(({ docChanged, startState, newDoc }) => {
      const shown = getOriginalDoc(startState).toString();
      const next = docChanged ? originalOf(marks, newDoc.toString()) : shown;
      if (next === shown) return null;
      const { from, to } = changedRange(shown, next);
      const change = { from, to: shown.length - (next.length - to), insert: next.slice(from, to) };
      return { effects: originalDocChangeEffect(startState, ChangeSet.of(change, shown.length)) };
    }),
    ViewPlugin.define((view) => {
      const timer = setTimeout(() => showRange(view, changedRange(original, view.state.doc.toString())));
      return { destroy: () => clearTimeout(timer) };
    }),
  ];
}

type Range = ReturnType<typeof changedRange>;

/** Scrolls to a range and flashes its lines unless the user prefers reduced motion. */
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

/** Shows changes that were not typed. */
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
    // An update must not dispatch another one.
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

/** For every editor of instructions. */
export const instructionFlashes: Extension = [
  flashed,
  ViewPlugin.fromClass(Flashes),
  EditorView.theme({
    '.cm-ai-flash': { animation: 'cm-ai-flash 1.6s ease-out' },
    '@keyframes cm-ai-flash': { from: { backgroundColor: 'var(--mantine-color-yellow-light)' } },
    '@media (prefers-reduced-motion: reduce)': { '.cm-ai-flash': { animation: 'none' } },
  }),
];
