import { jobFileUrl, type JobFile } from '../../src/domain/jobs/job-file.ts';
import { builder } from '../builder.ts';
import { Job } from '../refs.ts';

const WorkspaceFile = builder.objectRef<JobFile>('WorkspaceFile').implement({
  description: 'A file of the workspace of a job.',
  fields: (t) => ({
    path: t.exposeString('path', { description: 'Its path within the workspace, for example `report.md`.' }),
    sizeBytes: t.exposeInt('sizeBytes', { description: 'Its size in bytes.' }),
    modifiedAt: t.expose('modifiedAt', { type: 'DateTime', description: 'When it was last written.' }),
    url: t.string({
      description: 'Where this server sends it as a download; begins with `/`.',
      resolve: (file) => jobFileUrl(file),
    }),
  }),
});

/** Longest report that is a field; a longer one is a download. */
const MAX_REPORT_BYTES = 1_000_000;

const JobReport = builder.objectRef<JobFile>('JobReport').implement({
  description: 'What a job reports.',
  fields: (t) => ({
    file: t.field({
      type: WorkspaceFile,
      description: 'The file that it is.',
      resolve: (file) => file,
    }),
    markdown: t.string({
      nullable: true,
      description: 'Its text; null for one of more than 1 MB, which is a download alone.',
      resolve: async ({ jobId, path, sizeBytes }, _args, { services, viewer }) =>
        sizeBytes > MAX_REPORT_BYTES
          ? null
          : ((await services.jobFiles.read(viewer, jobId, path))?.toString('utf8') ?? null),
    }),
  }),
});

builder.objectFields(Job, (t) => ({
  files: t.field({
    type: [WorkspaceFile],
    description: 'What is in its workspace, by path.',
    resolve: async ({ id }, _args, { services, viewer }) => [...(await services.jobFiles.list(viewer, id))],
  }),
  report: t.field({
    type: JobReport,
    nullable: true,
    description:
      'The newest report that it named, by finishing or by asking for a review; null until then, and when the file is gone.',
    resolve: async ({ id }, _args, { loaders, services, viewer }) => {
      const path = await loaders.reportPathOfJob.load(id);
      if (path === null) return null;
      const files = await services.jobFiles.list(viewer, id);
      return files.find((file) => file.path === path) ?? null;
    },
  }),
}));
