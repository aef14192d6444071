import { drawChart } from './draw-chart.ts';
import { drawTable } from './draw-table.ts';
import type { AskEvent } from './operations.ts';

/** Where to print; `color` allows ANSI colours. */
export type Terminal = { readonly write: (text: string) => void; readonly color: boolean };

type EventOf<Name extends AskEvent['__typename']> = Extract<AskEvent, { __typename: Name }>;

/**
 * Prints the events of a turn as they arrive: text as it is written, everything else on separate lines. Of thoughts it
 * prints how long they took, and with `showsThinking` their words, too.
 */
export function createEventPrinter(
  { write, color }: Terminal,
  { showsThinking = false }: { readonly showsThinking?: boolean } = {},
): (event: AskEvent) => void {
  let isMidLine = false;
  let isBeforeText = true;
  let length = 0;
  const faint = (text: string): string => (color ? `\u001b[2m${text}\u001b[0m` : text);
  const text = (words: string): void => {
    if (words === '') return;
    write(isBeforeText ? `\n${words}` : words);
    isBeforeText = false;
    isMidLine = !words.endsWith('\n');
  };
  const line = (words: string): void => {
    write(`${isMidLine ? '\n' : ''}${isBeforeText ? '' : '\n'}${words}\n`);
    isBeforeText = true;
    isMidLine = false;
  };
  return (event) => {
    switch (event.__typename) {
      case 'TokenEvent':
        length = event.offset + event.text.length;
        return text(event.text);
      case 'ThinkingEvent':
        if (showsThinking) text(faint(event.thinkingText));
        if (event.thoughtMs == null) return undefined;
        return line(faint(`∴ Thought for ${seconds(event.thoughtMs)}`));
      case 'ToolCallStartedEvent':
        return line(faint(`→ ${event.label}: ${event.description}`));
      case 'ToolCallFinishedEvent':
        return line(faint(finishedCall(event)));
      case 'ToolApprovalEvent':
        return line(faint(askedCall(event)));
      case 'ChartEvent':
        return line(drawChart(event.chart, color));
      case 'TableEvent':
        return line(drawTable(event.table));
      case 'MessageJoinedEvent':
        return line(faint(`» ${event.joined.text}`));
      case 'SourceFallbackEvent':
        return line(faint(`⇄ ${event.from} → ${event.to} (${event.fallbackReason}): ${event.fallbackText}`));
      case 'StepResetEvent':
        return line(faint(`↺ ${event.reason}${event.keepUntilOffset < length ? ': repeated' : ''}`));
      case 'TurnFinishedEvent':
        return line(faint(ending(event)));
      case 'ArtifactEvent':
      case 'TurnStartedEvent':
      case 'StatusEvent':
      case 'UsageEvent':
        return undefined;
      default:
        return event satisfies never;
    }
  };
}

function askedCall({ arguments: given, approval }: EventOf<'ToolApprovalEvent'>): string {
  const { state, server, serverTool, until } = approval;
  const call = `${server} ${serverTool} ${JSON.stringify(given)}`;
  return state === 'WAITING'
    ? `? Waits until ${minute(until)} UTC for approval in the web client: ${call}`
    : `? ${state}: ${call}`;
}

function finishedCall(event: EventOf<'ToolCallFinishedEvent'>): string {
  const { tool, toolStatus, durationMs, dataSource, preview, error } = event;
  const mark = toolStatus === 'OK' ? '✓' : '✗';
  const facts = [
    `${durationMs} ms`,
    ...(dataSource ? [dataSource] : []),
    ...(toolStatus === 'OK' ? [] : [toolStatus]),
  ];
  return `${mark} ${tool} (${facts.join(', ')}): ${error?.message ?? preview}`;
}

function ending({ status, message, usage, error, rounds }: EventOf<'TurnFinishedEvent'>): string {
  const lines = (message?.freshness ?? []).flatMap(({ source, newestAt, oldestAt, isStale }) => {
    if (!newestAt || !oldestAt) return []; // such as a layout, which has no age
    const [from, to] = [minute(oldestAt), minute(newestAt)];
    return [
      `Data: ${source}, ${source === 'NOTES' ? 'written' : 'measured'} ${from === to ? from : `${from} to ${to}`} UTC${isStale ? ', STALE' : ''}`,
    ];
  });
  if (message?.unverifiedTable)
    lines.push("Tables in the text are the model's own; no stored result backs them.");
  if (message?.assessment) lines.push(`Assessment: ${message.assessment}`);
  const about = usage?.estimated ? 'about ' : '';
  const tokens = usage?.totalTokens
    ? `, ${about}${usage.inputTokens} tokens in${usage.cachedTokens ? ` (${usage.cachedTokens} cached)` : ''}, ${usage.outputTokens} out`
    : '';
  const cost = usage?.costUsd ? `, ${about}$${usage.costUsd.toFixed(4)}` : '';
  const by = message?.model ? ` by ${message.model}` : '';
  lines.push(`${status}${by} in ${rounds} ${rounds === 1 ? 'round' : 'rounds'}${tokens}${cost}`);
  if (error) lines.push(`${error.code}: ${error.message}`);
  return lines.join('\n');
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;

const minute = (at: string): string => at.slice(0, 16).replace('T', ' ');
