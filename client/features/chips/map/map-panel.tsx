import {
  Button,
  Group,
  Modal,
  Select,
  Skeleton,
  Text,
  TextInput,
  useComputedColorScheme,
} from '@mantine/core';
import { IconArrowsMaximize, IconFileTypeSvg, IconPhotoDown } from '@tabler/icons-react';
import { useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { LoadError } from '../../../components/load-error.tsx';
import { serverNowMs } from '../../../lib/server-clock.ts';
import { partPath } from '../../../lib/part-path.ts';
import { useI18n } from '../../../lib/i18n/i18n.tsx';
import { useServerText } from '../../../lib/i18n/use-server-names.ts';
import type { ChipView } from '../chip-view.ts';
import { ChipMap } from './chip-map.tsx';
import { colorScale } from './map-colors.ts';
import { saveMap, type MapCaption } from './map-export.ts';
import { legendOf, MapLegends } from './map-legend.tsx';
import type { MapMetric, MapPart } from './map-model.ts';
import { elementId } from './map-parts.tsx';
import { measuredText, partLines, shortText } from './map-text.ts';
import { selectionEntry } from './selection-entry.ts';
import { Selection } from './selection.tsx';
import classes from './map.module.css';
import { useMap } from './use-map.ts';

/** Title, controls and margins of the screen that a map fills. */
const AROUND_PX = 170;
const NONE: ReadonlySet<string> = new Set();

type MapPanelProps = {
  readonly chipId: string;
  readonly metric: MapMetric;
  /** Of couplings; null where the chip has none with values, or none was chosen. */
  readonly couplingMetric: MapMetric | null;
  /** Values in the place of the current ones; null for these. */
  readonly qubitValues: ReadonlyMap<string, number> | null;
  /** Which results these are, in words. */
  readonly results: string | null;
  readonly view: Pick<ChipView, 'against' | 'byState'>;
  /** Left out where no trend is beside the map. */
  readonly onView?: (change: Partial<ChipView>) => void;
};

/** The map of a chip with its legends, what can be done with a selection, and its pictures for a logbook. */
export function MapPanel(props: MapPanelProps) {
  const { chipId, metric, couplingMetric, qubitValues, results, view, onView } = props;
  const { words, format } = useI18n();
  const serverText = useServerText();
  const { map } = words.chip;
  const navigate = useNavigate();
  const isDark = useComputedColorScheme('light') === 'dark';
  const place = useRef<HTMLDivElement>(null);
  const [selected, setSelected] = useState(NONE);
  const [isExpanded, setExpanded] = useState(false);
  const { against, byState } = view;
  const { model, at, isStale, error, retry } = useMap({
    chipId,
    ofQubits: metric.name,
    ofCouplings: couplingMetric?.name ?? null,
    against,
    qubitValues,
  });
  const isCompared = against !== null;
  const drawn = useMemo(() => {
    if (model === null) return null;
    const kinds = { QUBIT: metric, COUPLING: couplingMetric ?? metric };
    const linesOf = (part: MapPart): readonly string[] =>
      part.kind === 'COUPLING' && couplingMetric === null
        ? [part.label]
        : partLines(part, kinds[part.kind], { words, format, textOf: serverText, isCompared });
    const lookOf = (parts: readonly MapPart[], of: MapMetric) => ({
      scale: byState ? null : colorScale(parts, of, isCompared),
      byState,
      isDark,
      textOf: (value: number) => shortText(value, of.unit, isCompared),
      nameOf: (part: MapPart) => linesOf(part).join('. '),
    });
    const qubits = lookOf(model.qubits, metric);
    const couplings = lookOf(model.couplings, kinds.COUPLING);
    const of = { isCompared, words, format };
    const legends = [
      legendOf(model.qubits, metric, { ...of, scale: qubits.scale }),
      ...(couplingMetric === null
        ? []
        : [legendOf(model.couplings, couplingMetric, { ...of, scale: couplings.scale })]),
    ];
    return { model, qubits, couplings, legends, linesOf };
  }, [model, metric, couplingMetric, byState, isCompared, isDark, words, format, serverText]);

  if (error && drawn === null) return <LoadError error={error} onRetry={retry} />;
  if (drawn === null) return <Skeleton height={520} />;
  const title = map.title([metric.title, ...(couplingMetric === null ? [] : [couplingMetric.title])], chipId);
  const subtitle = [
    chipId,
    format.time(new Date(serverNowMs()).toISOString()),
    ...(isCompared ? [] : [results ?? measuredText(drawn.model, { format, words })]),
    ...(at === null ? [] : [map.comparedWith(format.time(at))]),
    ...(against?.kind === 'CHIP' ? [map.comparedWith(against.chipId)] : []),
  ]
    .filter((text) => text !== '')
    .join(' · ');
  const caption: MapCaption = { title, subtitle, legends: drawn.legends, isDark };
  const save = (kind: 'svg' | 'png'): void => {
    const svg = place.current?.querySelector<SVGSVGElement>('svg[role=listbox]');
    if (svg) void saveMap(svg, kind, caption);
  };
  const chart = (heightPx?: number) => (
    <>
      <ChipMap
        {...drawn}
        label={title}
        hint={map.keys}
        selected={selected}
        onSelect={setSelected}
        onOpen={({ kind, id }) =>
          void navigate(partPath(chipId, id, kind === 'QUBIT' ? metric.name : couplingMetric?.name))
        }
        heightPx={heightPx}
      />
      <MapLegends legends={drawn.legends} />
      {drawn.model.unplaced > 0 && (
        <Text size="xs" c="dimmed">
          {map.unplaced(drawn.model.unplaced)}
        </Text>
      )}
    </>
  );
  const chosen = [...drawn.model.qubits, ...drawn.model.couplings].filter((part) =>
    selected.has(elementId(part)),
  );
  return (
    <div ref={place} aria-busy={isStale} style={{ opacity: isStale ? 0.6 : 1 }}>
      {!isExpanded && chart()}
      <Group gap="xs" mt={6} className={classes['tools'] ?? ''}>
        {chosen.length > 0 && (
          <Selection
            chipId={chipId}
            chosen={chosen}
            metric={metric}
            entry={() =>
              selectionEntry(chosen, {
                chipId,
                title,
                metricOf: ({ kind }) => (kind === 'QUBIT' ? metric : couplingMetric),
                isCompared,
                words,
              })
            }
            {...(onView && { onView })}
            onClear={() => setSelected(NONE)}
          />
        )}
        <Group gap="xs" ml="auto">
          <Tool Icon={IconPhotoDown} label={map.savePng} text="PNG" onClick={() => save('png')} />
          <Tool Icon={IconFileTypeSvg} label={map.saveSvg} text="SVG" onClick={() => save('svg')} />
          <Tool
            Icon={IconArrowsMaximize}
            label={map.expand}
            text={map.fullSize}
            onClick={() => setExpanded(true)}
          />
        </Group>
      </Group>
      <Modal
        opened={isExpanded}
        onClose={() => setExpanded(false)}
        fullScreen
        title={title}
        closeButtonProps={{ 'aria-label': words.common.close }}
      >
        {isExpanded && chart(innerHeight - AROUND_PX)}
      </Modal>
    </div>
  );
}

type ToolProps = {
  readonly Icon: typeof IconPhotoDown;
  readonly label: string;
  readonly text: string;
  readonly onClick: () => void;
};

const Tool = ({ Icon, label, text, onClick }: ToolProps) => (
  <Button
    size="compact-xs"
    variant="subtle"
    color="gray"
    leftSection={<Icon size={14} aria-hidden />}
    aria-label={label}
    onClick={onClick}
  >
    {text}
  </Button>
);

const HOURS_AGO = [24, 168, 720] as const;

/** Chooses what the map is compared with: nothing, a point in time, another chip. */
export function AgainstPicker({
  chipId,
  chips,
  view: { against },
  onView,
}: {
  readonly chipId: string;
  readonly chips: readonly string[];
  readonly view: ChipView;
  readonly onView: (change: Partial<ChipView>) => void;
}) {
  const { map } = useI18n().words.chip;
  const day = against?.kind === 'TIME' && typeof against.time === 'string' ? against.time : '';
  const value =
    against === null
      ? 'none'
      : against.kind === 'CHIP'
        ? `chip ${against.chipId}`
        : day === ''
          ? `hours ${String(against.time)}`
          : 'day';
  const choose = (chosen: string | null): void => {
    const [kind = '', rest = ''] = (chosen ?? '').split(/ (.*)/u);
    if (kind === 'none') onView({ against: null });
    if (kind === 'hours') onView({ against: { kind: 'TIME', time: Number(rest) } });
    if (kind === 'day')
      onView({ against: { kind: 'TIME', time: new Date(serverNowMs()).toISOString().slice(0, 10) } });
    if (kind === 'chip') onView({ against: { kind: 'CHIP', chipId: rest } });
  };
  return (
    <>
      <Select
        aria-label={map.compare}
        size="xs"
        w={190}
        allowDeselect={false}
        data={[
          { value: 'none', label: map.notCompared },
          ...HOURS_AGO.map((hours) => ({ value: `hours ${hours}`, label: map.sinceHours(hours) })),
          { value: 'day', label: map.sinceDay },
          ...chips
            .filter((other) => other !== chipId)
            .map((other) => ({ value: `chip ${other}`, label: map.toChip(other) })),
        ]}
        value={value}
        onChange={choose}
      />
      {day !== '' && (
        <TextInput
          type="date"
          size="xs"
          aria-label={map.day}
          value={day}
          onChange={({ currentTarget: { value: date } }) =>
            /^\d{4}-\d{2}-\d{2}$/.test(date) && onView({ against: { kind: 'TIME', time: date } })
          }
        />
      )}
    </>
  );
}
