import { memo, useMemo } from 'react';
import Markdown, { type Components } from 'react-markdown';
import type { JobFileFragment } from '../../../gql/graphql.ts';
import { withDollars } from '../../copilot/text/math.ts';
import { Code } from '../../copilot/turn/code.tsx';
import { OrderedList, REMARK_PLUGINS } from '../../copilot/turn/markdown.tsx';
import classes from '../../copilot/turn/markdown.module.css';
import { linkReferences } from './link-references.ts';

/**
 * A report as Markdown: references lead to their records, pictures are those of the job's files and of nowhere else.
 */
export const ReportText = memo(function ReportText({
  text,
  files,
}: {
  readonly text: string;
  readonly files: readonly JobFileFragment[];
}) {
  const components = useMemo(() => componentsOf(files), [files]);
  return (
    <div className={classes['text']}>
      <Markdown remarkPlugins={REMARK_PLUGINS} rehypePlugins={[linkReferences]} components={components}>
        {withDollars(text)}
      </Markdown>
    </div>
  );
});

const componentsOf = (files: readonly JobFileFragment[]): Components => ({
  code: ({ node: _node, ...props }) => <Code {...props} />,
  h1: 'h3',
  h2: 'h4',
  h3: 'h5',
  h4: 'h6',
  h5: 'h6',
  a: ({ children, href = '' }) =>
    href.startsWith('#') ? (
      <a href={href}>{children}</a>
    ) : (
      <a href={fileOf(files, href)?.url ?? href} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
    ),
  // Images from elsewhere would tell other servers that the report was read.
  img: ({ alt = '', src }) => {
    const file = typeof src === 'string' ? fileOf(files, src) : undefined;
    return file ? (
      <img src={file.url} alt={alt} loading="lazy" style={{ maxWidth: '100%' }} />
    ) : (
      <span>{alt}</span>
    );
  },
  // What may be scrolled must be reached by keyboard.
  ol: OrderedList,
  pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
  table: ({ children }) => (
    <div className={classes['tableBox']} tabIndex={0} role="group">
      <table>{children}</table>
    </div>
  ),
});

function fileOf(files: readonly JobFileFragment[], address: string): JobFileFragment | undefined {
  const path = address.replace(/^\.\//u, '');
  return files.find((file) => file.path === path || encodeURI(file.path) === path);
}
