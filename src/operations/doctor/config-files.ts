/** Checks the configuration files and reports every problem with its file, line and fix. */
import { join } from 'node:path';
import { readPromptTexts } from '../../agent/prompt/prompt-texts.ts';
import { countOf } from '../../domain/text/display-text.ts';
import { StartupError } from '../../base/errors.ts';
import { readConfigPresets } from '../../experts/config-presets.ts';
import { readExpertFolder } from '../../experts/expert-folder.ts';
import { readGeneration } from '../../experts/expert-generation.ts';
import { readMetricCatalog } from '../../stores/catalogue/metrics-file.ts';
import { readTaskKnowledge } from '../../stores/catalogue/task-knowledge-files.ts';
import { readTopologies } from '../../stores/catalogue/topology-files.ts';
import { findingsOf, type Finding } from './finding.ts';

const report = findingsOf('configuration files');
const NEEDED = 'fix it; the server does not start without it';

/** Checks every file of `folder`, even after a failure. */
export async function configFileFindings(folder: string): Promise<readonly Finding[]> {
  const found = await Promise.all([
    needed(async () => {
      const { metrics } = await readMetricCatalog(join(folder, 'metrics.yaml'));
      return countOf(metrics.length, 'metric');
    }),
    needed(async () => countOf((await readTopologies(join(folder, 'topologies'))).size, 'topology file')),
    needed(async () => countOf(Object.keys(await readPromptTexts(join(folder, 'prompts'))).length, 'prompt')),
    needed(async () => countOf((await readConfigPresets(join(folder, 'presets.yaml'))).length, 'preset')),
    knowledgeFindings(join(folder, 'task-knowledge')),
    expertFindings(join(folder, 'experts')),
  ]);
  return found.flat();
}

/** A finding that describes what was read, or why reading failed. */
async function needed(read: () => Promise<string>): Promise<readonly Finding[]> {
  try {
    return [report.ok(`${await read()} loaded`)];
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    return [report.problem(error.message, NEEDED)];
  }
}

async function knowledgeFindings(folder: string): Promise<readonly Finding[]> {
  let broken: readonly Finding[] = [];
  const read = await needed(async () => {
    const knowledge = await readTaskKnowledge(folder);
    broken = knowledge.broken.flatMap(({ file, problems }) =>
      problems.map((problem) =>
        report.warning(`${file}: ${problem}`, 'fix it; until then answers know nothing about that task'),
      ),
    );
    return `knowledge of ${countOf(knowledge.knowledge.length, 'task')}`;
  });
  return [...read, ...broken];
}

async function expertFindings(folder: string): Promise<readonly Finding[]> {
  let remarks: readonly Finding[] = [];
  const read = await needed(async () => {
    const generation = readGeneration(await readExpertFolder(folder));
    remarks = generation.remarks.map((remark) =>
      report.warning(
        join(folder, remark),
        'fix it; until then the expert is offered without it, or not at all',
      ),
    );
    return countOf(generation.experts.size, 'expert');
  });
  return [...read, ...remarks];
}
