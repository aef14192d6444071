import { countOf } from '../../domain/text/display-text.ts';
import type { LabServers } from '../../sources/mcp/lab-servers.ts';
import type { LabServerState } from '../../sources/mcp/server-link.ts';
import { findingsOf, type Finding } from './finding.ts';

const report = findingsOf('MCP servers');

/** Asks each of the lab's MCP servers for its tools; nothing is called. */
export async function labServerFindings(servers: LabServers): Promise<readonly Finding[]> {
  if (!servers.isSetUp) return [report.ok('none: mcpServers of config/qpilot.yaml is empty')];
  return (await servers.examine()).flatMap(findingsAbout);
}

function findingsAbout({ name, problem, tools, unfit }: LabServerState): readonly Finding[] {
  if (problem !== null) {
    const advice = `start it, or correct its entry in mcpServers; until then answers and jobs go without it`;
    return [report.warning(problem, advice)];
  }
  const asked = tools.filter(({ writes }) => writes).map(({ tool }) => tool);
  const needs = asked.length === 0 ? '' : `; approved call by call: ${asked.join(', ')}`;
  const found = `${name} offers ${countOf(tools.length, 'tool')}${needs}`;
  return [
    tools.length === 0
      ? report.warning(
          `${name} has none of the tools that are allowed`,
          'correct tools of its entry in mcpServers',
        )
      : report.ok(found),
    ...unfit.map(({ tool, reason }) =>
      report.warning(`${name}: ${tool} ${reason}`, 'it is left out; its author can change that'),
    ),
  ];
}
