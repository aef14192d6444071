import type { Logger } from '../../base/log.ts';
import type { ModelWatch } from './model-watch.ts';

/** Longest list and deepest value that is logged. */
const MAX_ITEMS = 20;
const MAX_DEPTH = 6;

/**
 * Logs the structure of a model's output, for diagnosing a new model: types and sizes of its events and the fields of
 * its output items. Texts are logged as their lengths only.
 */
export const outputLog =
  (log: Logger): ModelWatch =>
  (model) => {
    const events: Record<string, number> = {};
    const calls: string[] = [];
    let items: unknown = null;
    let characters = 0;
    return {
      event(event) {
        events[event.type] = (events[event.type] ?? 0) + 1;
        if (event.type === 'text' || event.type === 'refusal') characters += event.text.length;
        if (event.type === 'call') calls.push(event.call.name);
        if (event.type === 'finished') items = shapeOf(event.items, 0);
      },
      end(failure) {
        const { name, provider } = model;
        const error = failure instanceof Error ? failure.message : null;
        log.info(
          { model: name, provider, events, characters, calls, items, error },
          "shape of a model's output",
        );
      },
    };
  };

/** Fields that hold types, not content; their texts are logged. */
const KINDS = new Set(['type', 'role', 'status', 'phase', 'object']);

/** `value` with texts replaced by their lengths and long lists cut. */
function shapeOf(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return `text of ${value.length}`;
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH) return 'more';
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => shapeOf(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MAX_ITEMS)
      .map(([key, item]) => [key, KINDS.has(key) ? item : shapeOf(item, depth + 1)]),
  );
}
