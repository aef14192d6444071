import { Alert, Group, Paper, Skeleton, Text, Title } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useId, useMemo, useRef, type CSSProperties, type ReactNode } from 'react';
import { TOOL_CATALOGUE } from '../../../src/domain/tool-catalogue.ts';
import { ChartView } from '../../components/chart/chart-view.tsx';
import { useAnswerText, useVisualWords } from '../../components/chart/use-visual-words.ts';
import {
  BoardItemContentDocument,
  type BoardContentPartsFragment,
  type BoardItemPartsFragment,
  type TimeRangeInput,
} from '../../gql/graphql.ts';
import type { Format } from '../../lib/format/format.ts';
import type { Locale } from '../../lib/i18n/locale.ts';
import { useI18n } from '../../lib/i18n/i18n.tsx';
import { useServerText } from '../../lib/i18n/use-server-names.ts';
import { useChipQuery } from '../chips/chip-updates.tsx';
import { PinnedMap, type ShownMap } from '../chips/map/pinned-map.tsx';
import { mapOf } from '../pins/reads.ts';
import { BoardTable } from './board-table.tsx';
import classes from './boards.module.css';
import { ITEM_ATTRIBUTE } from './use-dragging.ts';

type BoardCardProps = {
  readonly boardId: string;
  readonly item: Pick<BoardItemPartsFragment, 'itemId' | 'title' | 'tool' | 'arguments' | 'span'>;
  readonly chipId: string | null;
  /** Times in place of the item's own. */
  readonly range: TimeRangeInput | null;
  /** Changes when everything is to be read again. */
  readonly round: number;
  /** What arranges it, by the title that it has now. */
  readonly tools: (title: string) => ReactNode;
  /** Whether it is dragged, or something is dragged over it. */
  readonly drag: 'dragged' | 'over' | null;
};

/** What a card has room for between the margins of the paper, at 96 dots an inch. */
const PAPER_PX = 660;

/** An item of a board: what its read finds now. It is read again in each round, and when its chip has new results. */
export function BoardCard({ boardId, item, chipId, range, round, tools, drag }: BoardCardProps) {
  const { words, format, locale } = useI18n();
  const { boards } = words;
  const id = useId();
  const { ref, width } = useElementSize();
  const { data, error, retry } = useChipQuery({
    query: BoardItemContentDocument,
    variables: { boardId, itemId: item.itemId, range },
  });
  const read = useAnswerText();
  const content = data?.board?.item?.content ?? null;
  const again = useRef(retry);
  useEffect(() => {
    again.current = retry;
  });
  useEffect(() => {
    if (round > 0) again.current();
  }, [round]);
  const title = item.title ?? (content?.title ? read(content.title) : toolTitle(item.tool, locale));
  const zoom = width > PAPER_PX ? PAPER_PX / width : 1;
  return (
    <Paper
      ref={ref}
      withBorder
      p="sm"
      component="section"
      aria-labelledby={id}
      aria-busy={content === null && !error}
      data-drag={drag}
      {...{ [ITEM_ATTRIBUTE]: item.itemId }}
      className={classes['card'] ?? ''}
      style={{ '--columns': item.span, '--paper-zoom': zoom } as CSSProperties}
    >
      <Group justify="space-between" wrap="nowrap" align="start" mb={4}>
        <Title order={2} id={id}>
          {title}
        </Title>
        {tools(title)}
      </Group>
      <Text size="xs" c="dimmed" mb={6}>
        {[
          chipId,
          content?.freshness && measuredText(content.freshness, format, boards.measured),
          content && boards.readAt(format.time(content.readAt)),
        ]
          .filter(Boolean)
          .join(' · ')}
        {range !== null && content !== null && content.error === null && content.span === null && (
          <> · {boards.ownTimes}</>
        )}
      </Text>
      <div className={classes['body']} data-chart={content?.chart != null}>
        {content === null ? (
          error ? (
            <Failure message={error.message} />
          ) : (
            <Skeleton height={240} />
          )
        ) : (
          <Content content={content} map={mapOf(item)} />
        )}
      </div>
      {content !== null && error && (
        <Text size="xs" c="dimmed" role="status">
          {boards.kept}
        </Text>
      )}
    </Paper>
  );
}

function Content({
  content: { chart: given, table: rows, words, error, span, readAt },
  map,
}: {
  readonly content: BoardContentPartsFragment;
  readonly map: ShownMap | null;
}) {
  const inWords = useVisualWords();
  const chart = useMemo(() => given && inWords.chart(given), [inWords, given]);
  const table = useMemo(() => rows && inWords.table(rows), [inWords, rows]);
  if (error !== null) return <Failure message={error.message} />;
  if (map !== null) return <PinnedMap shown={inTimes(map, span, readAt)} readAt={readAt} />;
  return (
    <>
      {words !== null && (
        <Text size="sm" className={classes['words'] ?? ''}>
          {words}
        </Text>
      )}
      {chart !== null && <ChartView chart={chart} />}
      {table !== null && <BoardTable table={table} />}
    </>
  );
}

const HOUR_MS = 3_600_000;

/** The map in the times of the board, where these are in place of its own. */
const inTimes = (map: ShownMap, span: BoardContentPartsFragment['span'], readAt: string): ShownMap => ({
  ...map,
  ...(span !== null && {
    windowHours:
      span.from === null ? null : Math.ceil((Date.parse(readAt) - Date.parse(span.from)) / HOUR_MS),
  }),
});

/** What an item is called until it was read, and where it cannot be. */
const toolTitle = (tool: string, locale: Locale): string =>
  TOOL_CATALOGUE.find(({ name }) => name === tool)?.title[locale] ?? tool;

function Failure({ message }: { readonly message: string }) {
  const { boards } = useI18n().words;
  const textOf = useServerText();
  return (
    <Alert color="red" title={boards.fails}>
      {textOf(message)}
    </Alert>
  );
}

function measuredText(
  { oldestAt, newestAt }: { readonly oldestAt: string | null; readonly newestAt: string | null },
  format: Format,
  words: (times: string) => string,
): string | null {
  if (oldestAt === null || newestAt === null) return null;
  const [from, to] = [format.time(oldestAt), format.time(newestAt)];
  return words(from === to ? to : `${from} – ${to}`);
}
