import { Text } from '@mantine/core';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { partsOfDiff, type DiffPart, type ShownDiff, type ShownPiece } from './diff-part.ts';
import classes from './diff.module.css';

/** What differs, part by part. */
export function DiffView({ diff }: { readonly diff: ShownDiff }) {
  const { builder: words } = useWords();
  const parts = partsOfDiff(diff);
  if (parts.length === 0) return <Text size="sm">{words.noChanges}</Text>;
  return (
    <ul className={classes['parts']}>
      {parts.map((part) => (
        <li key={part.id}>
          <DiffPartView part={part} />
        </li>
      ))}
    </ul>
  );
}

/** One part: where it is, and both versions in one text. */
export function DiffPartView({ part }: { readonly part: DiffPart }) {
  const { builder: words } = useWords();
  switch (part.type) {
    case 'DESCRIPTION':
      return (
        <>
          <PartName name={words.artifacts.DESCRIPTION} />
          <Words pieces={part.words} />
        </>
      );
    case 'CONFIG':
      return (
        <>
          <PartName name={words.artifacts.CONFIG} place={part.path.join('.')} />
          <Words
            pieces={[
              { kind: 'REMOVED', text: valueText(part.before, words.none) },
              { kind: 'SAME', text: ' ' },
              { kind: 'ADDED', text: valueText(part.after, words.none) },
            ]}
          />
        </>
      );
    case 'INSTRUCTIONS':
      return (
        <>
          <PartName name={words.artifacts.INSTRUCTIONS} place={words.lines(part.toLine)} />
          <Lines lines={part.lines} words={part.words ?? null} />
        </>
      );
    default:
      return part satisfies never;
  }
}

/** A setting as text. */
export const valueText = (value: unknown, none: string): string => {
  if (value === null || value === undefined) return none;
  if (Array.isArray(value)) return value.length === 0 ? '[]' : value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
};

function PartName({ name, place }: { readonly name: string; readonly place?: string }) {
  return (
    <Text size="xs" fw={600}>
      {name}
      {place !== undefined && (
        <Text span size="xs" c="dimmed" fw={400}>
          {' '}
          {place}
        </Text>
      )}
    </Text>
  );
}

const SIGNS = { SAME: ' ', REMOVED: '−', ADDED: '+' } as const;

/** Changed lines with those around them; where words were compared, both versions of a line are one. */
function Lines({
  lines,
  words,
}: {
  readonly lines: readonly ShownPiece[];
  readonly words: readonly ShownPiece[] | null;
}) {
  const first = lines.findIndex(({ kind }) => kind !== 'SAME');
  const last = lines.findLastIndex(({ kind }) => kind !== 'SAME');
  const around = words === null ? null : [lines.slice(0, first), lines.slice(last + 1)];
  return (
    <div className={classes['lines']}>
      {(around?.[0] ?? lines).map((line, index) => (
        <Line key={index} line={line} />
      ))}
      {around && words && (
        <div className={classes['line']} data-sign="±">
          <Words pieces={words} />
        </div>
      )}
      {around?.[1]?.map((line, index) => (
        <Line key={index} line={line} />
      ))}
    </div>
  );
}

function Line({ line: { kind, text } }: { readonly line: ShownPiece }) {
  return (
    <div className={classes['line']} data-kind={kind} data-sign={SIGNS[kind]}>
      {text}
    </div>
  );
}

/** Words of both versions: `<del>` and `<ins>` distinguish them for screen readers, too. */
export function Words({ pieces }: { readonly pieces: readonly ShownPiece[] }) {
  return (
    <span className={classes['words']}>
      {pieces.map(({ kind, text }, index) => {
        if (kind === 'SAME') return <span key={index}>{text}</span>;
        return kind === 'ADDED' ? (
          <ins key={index} className={classes['added']}>
            {text}
          </ins>
        ) : (
          <del key={index} className={classes['removed']}>
            {text}
          </del>
        );
      })}
    </span>
  );
}
