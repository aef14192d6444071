/**
 * The documentation site: all pages of `docs` and those at the root of the repository (`pages.ts`). The server builds it at
 * the first visit of `/docs`; a link to a page or a file that is not there fails the build.
 */
import { copyLinkedFiles, linkRepositoryFiles } from './links.ts';
import { NOT_PAGES, PAGES } from './pages.ts';

type Item = { readonly text: string; readonly link: string };
const item = (text: string, link: string): Item => ({ text, link });

export default {
  title: 'QPilot',
  description: 'A self-hosted copilot for quantum-chip calibration data',
  base: '/docs/',
  srcDir: '..',
  srcExclude: NOT_PAGES,
  rewrites: Object.fromEntries(PAGES),
  cleanUrls: true,
  // Else each page would hold the list of all others, in a script of its own.
  metaChunk: true,
  head: [['link', { rel: 'icon', href: '/icon.svg' }]],
  // With a transition less, it would put a style into the page, which the policy of the server refuses.
  appearance: { disableTransition: false },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: linkRepositoryFiles,
  },
  buildEnd: ({ outDir }: { readonly outDir: string }) => copyLinkedFiles(outDir),
  themeConfig: {
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    nav: [
      item('Tutorials', '/tutorials/first-answer'),
      item('How-to', '/operating'),
      item('Reference', '/reference/settings'),
      item('Explanation', '/explanation/answers'),
    ],
    sidebar: [
      {
        text: 'Tutorials',
        items: [
          item('A first answer', '/tutorials/first-answer'),
          item('Your own chip', '/tutorials/own-chip'),
          item('Your own QDash', '/tutorials/own-qdash'),
          item('Your own model', '/tutorials/own-model'),
          item('A job', '/tutorials/job'),
          item('A board', '/tutorials/board'),
          item('An alert', '/tutorials/alert'),
          item('A notebook', '/tutorials/notebook'),
        ],
      },
      {
        text: 'How-to',
        items: [
          item('Operating QPilot', '/operating'),
          item('In operation', '/operations/'),
          item('Servers and workers', '/operations/running'),
          item('Faults that were tried', '/operations/faults'),
          item('Reverse proxies', '/operations/proxies'),
          item('Monitoring', '/operations/monitoring'),
          item('Backups', '/operations/backup'),
          item('Personal data', '/operations/personal-data'),
          item('Using the API', '/front-end'),
          item('In other assistants', '/assistants'),
          item('Front ends of others', '/chat-protocols'),
          item('In notebooks', '/notebooks'),
          item('Webhooks', '/webhooks'),
          item('MCP servers of the lab', '/mcp-servers'),
          item('Contributing', '/contributing'),
          item('Security', '/security'),
        ],
      },
      {
        text: 'Reference',
        items: [
          item('Settings', '/reference/settings'),
          item('Commands', '/reference/commands'),
          item('Fields of the API', '/reference/schema'),
          item('Events', '/reference/events'),
          item('Metrics', '/reference/metrics'),
          item('Tools', '/tools'),
          item('Permissions', '/permissions'),
          item('Destructive controls', '/reference/destructive-controls'),
          item('Rules of charts', '/chart-rules'),
          item('Rules of agents', '/agent-rules'),
          item('Rules of the event log', '/event-log'),
          item('Conformance', '/conformance'),
          item('Glossary', '/glossary'),
          item('Changelog', '/changelog'),
        ],
      },
      {
        text: 'Explanation',
        items: [
          item('How an answer is made', '/explanation/answers'),
          item('Why numbers can be trusted', '/explanation/trust'),
          item('The sandbox', '/decisions/0004-sandbox'),
          item('Architecture', '/architecture'),
          item('What it carries', '/scale'),
          item('Evaluation', '/evaluation'),
          item('Threat model', '/threat-model'),
          item('Decisions', '/decisions/'),
        ],
      },
    ],
  },
};
