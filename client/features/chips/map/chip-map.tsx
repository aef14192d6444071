import { useElementSize } from '@mantine/hooks';
import { useMemo, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import classes from './map.module.css';
import { partTowards, type ChipMapModel, type MapPart } from './map-model.ts';
import { CouplingMark, elementId, pxOf, QubitMark, type PartLook } from './map-parts.tsx';

/** The smallest cell that can be hit with a finger and read; a larger map scrolls. */
const MIN_CELL_PX = 20;
const MAX_CELL_PX = 64;
/** A shorter drag is a click. */
const DRAG_FROM_PX = 5;

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

type ChipMapProps = {
  readonly model: ChipMapModel;
  readonly label: string;
  /** How to use it by keyboard. */
  readonly hint: string;
  readonly qubits: Omit<PartLook, 'cellPx'>;
  readonly couplings: Omit<PartLook, 'cellPx'>;
  readonly linesOf: (part: MapPart) => readonly string[];
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (ids: ReadonlySet<string>) => void;
  readonly onOpen: (part: MapPart) => void;
  /** Height to fill; as high as its width makes it by default. */
  readonly heightPx?: number | undefined;
};

type Box = { readonly x: number; readonly y: number; readonly toX: number; readonly toY: number };

/** A map of a chip that is pointed at, clicked, selected from with a box, and walked over with the arrow keys. */
export function ChipMap({
  model,
  label,
  hint,
  linesOf,
  selected,
  onSelect,
  onOpen,
  heightPx,
  ...looks
}: ChipMapProps) {
  const { ref: place, width } = useElementSize();
  const svg = useRef<SVGSVGElement>(null);
  const [active, setActive] = useState<MapPart | null>(null);
  const [box, setBox] = useState<Box | null>(null);
  const { columns, rows } = model;
  const fitting = Math.min(width / columns, heightPx === undefined ? MAX_CELL_PX : heightPx / rows);
  const cellPx = width === 0 ? 0 : Math.max(MIN_CELL_PX, Math.floor(fitting * 10) / 10);
  const parts = useMemo(() => [...model.couplings, ...model.qubits], [model]);
  const byId = useMemo(() => new Map(parts.map((part) => [elementId(part), part])), [parts]);
  const ofQubits = useMemo(() => ({ ...looks.qubits, cellPx }), [looks.qubits, cellPx]);
  const ofCouplings = useMemo(() => ({ ...looks.couplings, cellPx }), [looks.couplings, cellPx]);

  const partAt = ({ target }: { readonly target: EventTarget }): MapPart | null => {
    const element = target instanceof Element ? target.closest('[data-part]') : null;
    return byId.get(element?.getAttribute('data-part') ?? '') ?? null;
  };
  const toggle = (part: MapPart): void => {
    const next = new Set(selected);
    if (!next.delete(elementId(part))) next.add(elementId(part));
    onSelect(next);
  };
  const placeOf = ({ clientX, clientY }: PointerEvent): readonly [number, number] => {
    const { left = 0, top = 0 } = svg.current?.getBoundingClientRect() ?? {};
    return [clientX - left, clientY - top];
  };
  const onDown = (event: PointerEvent): void => {
    // A finger scrolls.
    if (event.button !== 0 || event.pointerType === 'touch') return;
    const [x, y] = placeOf(event);
    setBox({ x, y, toX: x, toY: y });
  };
  const onMove = (event: PointerEvent): void => {
    if (box === null) return setActive(partAt(event));
    const [toX, toY] = placeOf(event);
    setBox({ ...box, toX, toY });
    if (isDrag(box)) svg.current?.setPointerCapture(event.pointerId);
  };
  const onUp = (): void => {
    if (box !== null && isDrag(box))
      onSelect(new Set(parts.filter((part) => isIn(part, box, cellPx)).map(elementId)));
    // The click that follows a drag is none.
    setTimeout(() => setBox(null));
  };
  const onClick = (event: React.MouseEvent): void => {
    const part = partAt(event);
    if (part === null || (box !== null && isDrag(box))) return;
    setActive(part);
    if (event.shiftKey || event.ctrlKey || event.metaKey) toggle(part);
    else onOpen(part);
  };
  const onKey = (event: KeyboardEvent): void => {
    const next = partAfter(event.key, active, model);
    if (event.key === 'Escape' && selected.size > 0) onSelect(new Set());
    else if (event.key === 'Enter' && active) onOpen(active);
    else if (event.key === ' ' && active) toggle(active);
    else if (next) {
      setActive(next);
      document
        .querySelector(`#${CSS.escape(elementId(next))}`)
        ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    } else return;
    event.preventDefault();
  };
  const outline = (part: MapPart, color: string, dash?: string) => (
    <rect
      key={elementId(part)}
      x={pxOf(part.x, cellPx) - cellPx * 0.4}
      y={pxOf(part.y, cellPx) - cellPx * 0.4}
      width={cellPx * 0.8}
      height={cellPx * 0.8}
      rx={4}
      fill="none"
      stroke={color}
      strokeWidth={2}
      strokeDasharray={dash}
      pointerEvents="none"
    />
  );
  const accent = looks.qubits.isDark ? '#91a7ff' : '#3b5bdb';
  return (
    <div ref={place} className={classes['place']}>
      <div className={classes['scroll']}>
        <svg
          ref={svg}
          className={classes['map']}
          width={columns * cellPx}
          height={rows * cellPx}
          role="listbox"
          aria-label={label}
          aria-description={hint}
          aria-multiselectable
          aria-activedescendant={active ? elementId(active) : undefined}
          tabIndex={0}
          onPointerDown={onDown}
          onPointerMove={onMove}
          onPointerUp={onUp}
          onPointerLeave={() => box === null && setActive(null)}
          onClick={onClick}
          onKeyDown={onKey}
          onFocus={() => setActive(active ?? model.qubits[0] ?? null)}
          onBlur={() => setActive(null)}
        >
          {cellPx > 0 && (
            <>
              {model.couplings.map((part) => (
                <CouplingMark
                  key={part.id}
                  part={part}
                  look={ofCouplings}
                  isSelected={selected.has(elementId(part))}
                />
              ))}
              {model.qubits.map((part) => (
                <QubitMark
                  key={part.id}
                  part={part}
                  look={ofQubits}
                  isSelected={selected.has(elementId(part))}
                />
              ))}
            </>
          )}
          <g data-overlay aria-hidden>
            {parts.filter((part) => selected.has(elementId(part))).map((part) => outline(part, accent))}
            {active && outline(active, accent, '4 2')}
            {box !== null && isDrag(box) && (
              <rect
                x={Math.min(box.x, box.toX)}
                y={Math.min(box.y, box.toY)}
                width={Math.abs(box.toX - box.x)}
                height={Math.abs(box.toY - box.y)}
                fill={accent}
                fillOpacity={0.15}
                stroke={accent}
              />
            )}
          </g>
        </svg>
      </div>
      {active && box === null && (
        <Tip part={active} lines={linesOf(active)} cellPx={cellPx} columns={columns} />
      )}
    </div>
  );
}

/** Above the lower half of the map and below the upper one, so that it hides neither the part nor itself. */
function Tip({
  part,
  lines,
  cellPx,
  columns,
}: {
  readonly part: MapPart;
  readonly lines: readonly string[];
  readonly cellPx: number;
  readonly columns: number;
}) {
  const x = pxOf(part.x, cellPx);
  const isRight = part.x > columns / 2;
  return (
    <div
      className={classes['tip']}
      aria-hidden
      style={{
        top: pxOf(part.y, cellPx) + cellPx * 0.5,
        ...(isRight ? { right: `calc(100% - ${x}px)` } : { left: x }),
      }}
    >
      {lines.map((line, index) => (
        <div key={index}>{line}</div>
      ))}
    </div>
  );
}

const isDrag = ({ x, y, toX, toY }: Box): boolean => Math.hypot(toX - x, toY - y) > DRAG_FROM_PX;

function isIn(part: MapPart, { x, y, toX, toY }: Box, cellPx: number): boolean {
  const [px, py] = [pxOf(part.x, cellPx), pxOf(part.y, cellPx)];
  return px >= Math.min(x, toX) && px <= Math.max(x, toX) && py >= Math.min(y, toY) && py <= Math.max(y, toY);
}

/** Where a key leads from a part: an arrow to the next of its kind, `c` to the nearest of the other kind. */
function partAfter(key: string, active: MapPart | null, { qubits, couplings }: ChipMapModel): MapPart | null {
  if (active === null) return null;
  const [same, other] = active.kind === 'QUBIT' ? [qubits, couplings] : [couplings, qubits];
  const arrow = ARROWS[key];
  if (arrow) return partTowards(same, active, arrow);
  if (key !== 'c') return null;
  const distance = ({ x, y }: MapPart): number => Math.hypot(x - active.x, y - active.y);
  return other.reduce<MapPart | null>(
    (nearest, part) => (nearest === null || distance(part) < distance(nearest) ? part : nearest),
    null,
  );
}
