/** The report of a run, as Markdown. */
import { runText } from '../page.ts';
import type { Figures } from './cases.ts';
import { costOf, digits, medianOf, type CaseResult } from './figures.ts';
import { growthText } from './growth.ts';
import { costPlot, growthPlots, plotLink, type Plot } from './plots.ts';

/** Others are compared with this one: a subscription that passes the model's tokens on. */
const BASELINE = 'yoga';

export function resultsText(
  results: readonly CaseResult[],
  { startedAt, rounds, note }: { readonly startedAt: Date; readonly rounds: number; readonly note: string },
): string {
  return `${[
    '# Results of the bench against peers',
    `${runText('bench:peers', startedAt)}${note === '' ? '' : ` **${note}**`}`,
    ABOUT.replace('ROUNDS', String(rounds)),
    growthText(results, links(growthPlots(results))),
    ...results.flatMap((each) => [caseText(each), ...links([costPlot(each)])]),
  ]
    .filter((part) => part !== '')
    .join('\n\n')}\n`;
}

/** Where the pictures stand, seen from the report. */
export const PLOTS = 'plots';

const links = (plots: readonly (Plot | null)[]): readonly string[] =>
  plots.flatMap((plot) => (plot === null ? [] : plotLink(plot, PLOTS)));

const ABOUT = `One fake model server, one client process, and each contender in a process of its own; all of them over HTTP on the
loopback. Figures are medians of ROUNDS rounds in which the contenders took turns. Server and Postgres are the processor time
(user and system) of their processes for a token of an answer, whatever the number of viewers; everything that a turn costs is in it.
p50 and p99 are the time from the model to a client, over all tokens; unpaced, they include the queue that forms before the
slowest part. × compares server and Postgres together with \`yoga\` of the same run. Peers keep nothing: no log, no second viewer, no
resumption, no check of what a model writes. All messages are of one user, whom QPilot lets send one at a time: of many answers,
the last begin later, and a message that waits 30 s is refused. \`fetch\`, \`openai\`, \`agents\`, \`ai\` and \`mastra\` pass text on as
server-sent events; \`yoga\` and \`graphql-ws\` are naive subscriptions over \`fetch\`.`;

const COLUMNS: readonly (readonly [head: string, of: (figures: Figures) => number | null])[] = [
  ['server μs/token', ({ serverUsPerToken }) => serverUsPerToken],
  ['Postgres μs/token', ({ postgresUsPerToken }) => postgresUsPerToken],
  ['p50 ms', ({ p50Ms }) => p50Ms],
  ['p99 ms', ({ p99Ms }) => p99Ms],
  ['all ms', ({ wallMs }) => wallMs],
];

function caseText({ name, what, rows }: CaseResult): string {
  const base = medianOf(rows.find((row) => row.name === BASELINE)?.runs ?? [], costOf);
  const columns = COLUMNS.filter(([, of]) => rows.some(({ runs }) => medianOf(runs, of) !== null));
  const unable = rows.filter(({ missing }) => missing === 'cannot').map(({ name: each }) => each);
  const hasRatio = base !== null;
  const lines = rows
    .filter(({ missing }) => missing !== 'cannot')
    .map(({ name: contender, runs, missing }) => {
      const cost = medianOf(runs, costOf);
      const cells = columns.map(([, of]) => digits(medianOf(runs, of)));
      const ratio = hasRatio ? [cost === null ? '–' : (cost / base).toFixed(2)] : [];
      const why = missing === null ? '' : ` (failed: ${missing.slice(0, 80)})`;
      return `| ${[`${contender}${why}`, ...cells, ...ratio].join(' | ')} |`;
    });
  const heads = ['', ...columns.map(([head]) => head), ...(hasRatio ? ['×'] : [])];
  const rule = heads.map((_, index) => (index === 0 ? '---' : '---:'));
  return [
    `## ${name}`,
    '',
    `${what.slice(0, 1).toUpperCase()}${what.slice(1)}.`,
    '',
    `| ${heads.join(' | ')} |`,
    `| ${rule.join(' | ')} |`,
    ...lines,
    ...(unable.length === 0 ? [] : ['', `Not possible with ${unable.join(', ')}.`]),
  ].join('\n');
}
