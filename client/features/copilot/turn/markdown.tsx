import type { AnswerNumber } from '@qpilot/client/view';
import {
  createContext,
  memo,
  use,
  useDeferredValue,
  useMemo,
  type ComponentProps,
  type CSSProperties,
} from 'react';
import Markdown, { type Components, type ExtraProps } from 'react-markdown';
import { Link } from 'react-router';
import remarkGfm from 'remark-gfm';
import { markdownBlocks, withMarksClosed } from '../text/markdown-blocks.ts';
import { recordPath } from '../../../lib/part-path.ts';
import { MATH_PLUGINS, withDollars } from '../text/math.ts';
import { IN_LINK_ATTRIBUTE, markNumbers, NUMBER_ATTRIBUTE } from '../text/mark-numbers.ts';
import { Code, GrowingContext } from './code.tsx';
import classes from './markdown.module.css';

type MarkdownTextProps = {
  readonly text: string;
  /** UTF-16 code units of the answer before this text. */
  readonly offset: number;
  readonly numbers: readonly AnswerNumber[];
  /** More of it is to come. */
  readonly isGrowing: boolean;
};

/** Markdown of a model, which may grow. Finished pieces are not rendered again; HTML in it is text. */
export const MarkdownText = memo(function MarkdownText({
  text,
  offset,
  numbers,
  isGrowing,
}: MarkdownTextProps) {
  const blocks = markdownBlocks(text);
  // They come all at once with the end of an answer: its pieces are marked one after another, and what is typed comes first.
  const marked = useDeferredValue(numbers);
  return (
    <div className={classes['text']}>
      {blocks.map((block, index) => (
        <Block
          key={block.offset}
          text={isGrowing && index === blocks.length - 1 ? withMarksClosed(block.text) : block.text}
          offset={offset + block.offset}
          numbers={marked}
          isGrowing={isGrowing && index === blocks.length - 1}
        />
      ))}
    </div>
  );
});

/** Tables, lists of tasks, and formulas. */
export const REMARK_PLUGINS = [remarkGfm, ...MATH_PLUGINS];

const NumbersContext = createContext<readonly AnswerNumber[]>([]);

const Block = memo(function Block({ text, offset, numbers, isGrowing }: MarkdownTextProps) {
  const rehypePlugins = useMemo(() => [markNumbers(numbers, offset)], [numbers, offset]);
  return (
    <GrowingContext value={isGrowing}>
      <NumbersContext value={numbers}>
        <Markdown remarkPlugins={REMARK_PLUGINS} rehypePlugins={rehypePlugins} components={COMPONENTS}>
          {withDollars(text)}
        </Markdown>
      </NumbersContext>
    </GrowingContext>
  );
});

/** A page of this client, which opens beside the conversation. */
const OWN_PAGE =
  /^\/(?:alerts|answers|boards|chips|compare|copilot|import|jobs|records|search|settings|shared)(?![\w-])/u;

/** Headings of an answer are levels below its question, which is a heading itself. */
const HEADINGS: Components = { h1: 'h3', h2: 'h3', h3: 'h4', h4: 'h5', h5: 'h6' };

/** A list with room for its widest number. */
export function OrderedList({ node, children, ...props }: ComponentProps<'ol'> & ExtraProps) {
  const items = node?.children.filter((child) => child.type === 'element').length ?? 0;
  const last = (props.start ?? 1) + Math.max(0, items - 1);
  return (
    <ol {...props} style={{ '--digits': String(last).length } as CSSProperties}>
      {children}
    </ol>
  );
}

/** The same ones whatever numbers come: other components would set formulas, code and tables anew, and move the page. */
const COMPONENTS: Components = {
  ...HEADINGS,
  code: ({ node: _node, ...props }) => <Code {...props} />,
  // An address that is not let through leaves its words.
  a: ({ children, href }) =>
    href && OWN_PAGE.test(href) ? (
      <Link to={href}>{children}</Link>
    ) : href ? (
      <a href={href} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  // Images from elsewhere would tell other servers that the answer was read.
  img: ({ alt }) => <span>{alt}</span>,
  // What may be scrolled must be reached by keyboard.
  ol: OrderedList,
  pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
  table: ({ children }) => (
    <div className={classes['tableBox']} tabIndex={0} role="group">
      <table>{children}</table>
    </div>
  ),
  span: NumberOrSpan,
};

function NumberOrSpan({ node, children, ...rest }: ComponentProps<'span'> & ExtraProps) {
  const numbers = use(NumbersContext);
  const index = node?.properties[NUMBER_ATTRIBUTE];
  const number = typeof index === 'string' ? numbers[Number(index)] : undefined;
  if (number === undefined || typeof index !== 'string') return <span {...rest}>{children}</span>;
  const mark = {
    className: classes['number'],
    'data-status': number.status,
    [NUMBER_ATTRIBUTE]: index,
  };
  const isInLink = node?.properties[IN_LINK_ATTRIBUTE] !== undefined;
  return number.recordId === null || isInLink ? (
    <span {...mark} tabIndex={0} role="note">
      {children}
    </span>
  ) : (
    <Link {...mark} to={recordPath(number.recordId)}>
      {children}
    </Link>
  );
}
