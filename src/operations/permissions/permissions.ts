/** Who may do what, read from the code: rules of fields, types, events, tools, file routes and resources. */
import { schema } from '../../../schema/index.ts';
import { ruledParts } from '../../../schema/rules.ts';
import { allows, type Rule } from '../../domain/members/rule.ts';
import { ROLES } from '../../domain/members/role.ts';
import { CHAT_ROUTES, CHAT_RULE } from '../../protocols/chat/chat-door.ts';
import { ASK, ASK_RULE } from '../../protocols/mcp/ask.ts';
import { RESOURCES } from '../../protocols/mcp/resources.ts';
import { FILE_ROUTES } from '../../server/file-routes.ts';
import { EVERY_TOOL } from './every-tool.ts';

export const SUBJECTS = [
  'Query',
  'Mutation',
  'Subscription',
  'Type',
  'Field',
  'Tool',
  'Route',
  'Mcp',
  'Chat',
] as const;

/** One thing that needs a rule; null where it has none. A `Type` is one with an id, or an event. */
export type Permission = {
  readonly subject: (typeof SUBJECTS)[number];
  readonly name: string;
  readonly rule: Rule | null;
};

/** All that need a rule. */
export function permissions(): readonly Permission[] {
  const parts = ruledParts(schema).map(({ name, rule }): Permission => {
    const [type = '', field] = name.split('.');
    const root = SUBJECTS.find((subject) => subject === type);
    if (root !== undefined) return { subject: root, name: field ?? '', rule };
    return { subject: field === undefined ? 'Type' : 'Field', name, rule };
  });
  return [
    ...parts,
    ...EVERY_TOOL.map(({ name, rule }): Permission => ({ subject: 'Tool', name, rule })),
    ...FILE_ROUTES.map(({ path, rule }): Permission => ({ subject: 'Route', name: path, rule })),
    { subject: 'Mcp', name: ASK, rule: ASK_RULE },
    ...CHAT_ROUTES.map((name): Permission => ({ subject: 'Chat', name, rule: CHAT_RULE })),
    ...RESOURCES.map(({ template, rule }): Permission => ({ subject: 'Mcp', name: template, rule })),
  ];
}

const HEADINGS = {
  Query: ['Queries', 'field'],
  Mutation: ['Mutations', 'field'],
  Subscription: ['Subscriptions', 'field'],
  Type: ['Objects by their id, and events', 'type'],
  Field: ['Fields that read more than their parent', 'fields'],
  Tool: ['Tools of the copilot, the builder and jobs', 'tool'],
  Route: ['Files', 'below'],
  Mcp: ['At `/mcp`, beside the tools', 'tool or resource'],
  Chat: ['Chat for other front ends', 'route'],
} as const satisfies Record<Permission['subject'], readonly [string, string]>;

/** The page `docs/permissions.md`. */
export function permissionsPage(): string {
  const all = permissions();
  const sections = SUBJECTS.map((subject) => {
    const [heading, column] = HEADINGS[subject];
    const own = all.filter((each) => each.subject === subject);
    const head = ['whose', ...ROLES, 'operator'];
    const rows = [[column, ...head], ['---', ...head.map(() => '---')], ...rowsOf(subject, own)];
    return `## ${heading}\n\n${rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}`;
  });
  return `${INTRODUCTION}\n\n${sections.join('\n\n')}\n`;
}

function rowsOf(subject: Permission['subject'], own: readonly Permission[]): string[][] {
  if (subject !== 'Field') return own.map(({ name, rule }) => [`\`${name}\``, ...cellsOf(rule)]);
  // Fields of a type mostly share its rule: one row for those that do.
  const groups = Map.groupBy(own, ({ name, rule }) => `${name.split('.')[0]} ${rule}`);
  return [...groups.values()].map((fields) => {
    const [type] = fields[0]?.name.split('.') ?? [];
    const names = fields.map(({ name }) => `\`${name.split('.')[1]}\``).join(', ');
    return [`\`${type}\`: ${names}`, ...cellsOf(fields[0]?.rule ?? null)];
  });
}

/** Whose things, then each role, then the operator. */
function cellsOf(rule: Rule | null): string[] {
  if (rule === null) return ['no rule', ...ROLES.map(() => ''), ''];
  const mark = (isOperator: boolean) => (role: (typeof ROLES)[number]) =>
    allows({ role, isOperator }, rule) ? 'yes' : '';
  const forOperator = rule === 'operator' ? 'yes' : 'by role';
  const whose = rule === 'operator' ? 'installation' : rule.slice(rule.indexOf(' ') + 1);
  return [whose, ...ROLES.map(mark(false)), forOperator];
}

const INTRODUCTION = `# Permissions

Printed from the code by \`npm run permissions\`; do not edit. The rules are beside the fields (\`rule:\` in \`schema\`), beside
the tools (\`src/agent/tools\`), the routes of files (\`src/server/file-routes.ts\`) and the resources (\`src/protocols/mcp/resources.ts\`).

- A request is for one project. Whoever is not signed in, or no member of that project, is refused before any field, in the
  same words whether the project exists or not. So every rule below is about members.
- **own**: what the viewer made (conversations, jobs, uploads); what other members made does not exist for them. **shared**: also
  what other members share with the project, or by a link that the viewer opened; of an answer that is shared alone, that
  answer and nothing else of its conversation. Only its owner changes it. **project**: what all members share.
- A role that a rule does not allow gets the code \`FORBIDDEN\` before anything is read, so the answer does not depend on what exists.
- The **operator** administers the installation. It is no role: within a project, an operator may do what their role allows.
- Editors replace and delete only the experts that they made; admins and owners all. Admins add, change and remove viewers and
  editors; owners all members. A project keeps its last owner.
- Turns in the background act as a viewer for conversations, and as an editor for the builder and jobs, which only editors start.`;
