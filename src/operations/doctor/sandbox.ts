import type { PythonSandbox, SandboxAvailability, SelfTestReport, WallCheck } from '@qpilot/python-sandbox';
import { findingsOf, type AreaFindings, type Finding } from './finding.ts';

const MORE_PYTHON =
  'for numpy, pandas, scipy and plotly, install them and bubblewrap (Debian: apt-get install bubblewrap python3-numpy python3-pandas python3-scipy python3-plotly)';

/** Runs the self-test of every engine and reports which one runs analyses. */
export async function sandboxFindings(
  sandbox: Pick<PythonSandbox, 'selfTests' | 'availability'>,
): Promise<readonly Finding[]> {
  const report = findingsOf('Python sandbox');
  try {
    const availability = await sandbox.availability();
    const selfTests = await sandbox.selfTests();
    return [
      offer(report, availability),
      ...selfTests.flatMap((selfTest) => engineFindings(report, selfTest, availability)),
    ];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [
      report.problem(`failed to start: ${reason}`, 'everything except Python analysis works without it'),
    ];
  }
}

function offer(report: AreaFindings, availability: SandboxAvailability): Finding {
  return availability.available
    ? report.ok(`analyses run on the ${availability.engine} engine with ${availability.modules.join(', ')}`)
    : report.problem(`Python analysis is not offered: ${availability.reason}`, 'see below');
}

/** A missing engine matters less while another one is available. */
function engineFindings(
  report: AreaFindings,
  { engine, missing, namespaces, walls, remarks }: SelfTestReport,
  { available }: SandboxAvailability,
): readonly Finding[] {
  if (missing !== null) {
    return [
      report[available ? 'warning' : 'problem'](`the ${engine} engine cannot run: ${missing}`, MORE_PYTHON),
    ];
  }
  const holding = walls.filter(({ ok }) => ok).length;
  const where = namespaces ? 'with namespaces' : 'without namespaces';
  return [
    ...(holding === 0
      ? []
      : [report.ok(`engine ${engine}, ${where}: ${holding} of ${walls.length} checks passed`)]),
    ...walls.filter(({ ok }) => !ok).map((wall) => brokenWall(report, engine, wall, namespaces)),
    ...remarks.map((remark) => report.warning(remark, 'fix this, or do without it')),
  ];
}

function brokenWall(
  report: AreaFindings,
  engine: string,
  { name, required, detail }: WallCheck,
  namespaces: boolean,
): Finding {
  const message = `the ${engine} engine does not prevent analysed code from: ${name}${detail === '' ? '' : ` (${detail})`}`;
  const allow = namespaces ? 'please report this' : 'allow user namespaces on this machine';
  if (!required)
    return report.warning(message, `${allow}; accepted because of SANDBOX_ALLOW_WITHOUT_NAMESPACES`);
  return report.problem(
    message,
    `the engine is not offered: ${allow}${namespaces ? '' : ', or accept it with SANDBOX_ALLOW_WITHOUT_NAMESPACES=1'}`,
  );
}
