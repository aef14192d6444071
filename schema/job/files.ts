import { jobFileUrl, type JobFile } from '../../src/domain/jobs/job-file.ts';
import { builder } from '../builder.ts';
import { Job } from '../refs.ts';

const WorkspaceFile = builder.objectRef<JobFile>('WorkspaceFile').implement({
  description: "A file in a job's workspace.",
  fields: (t) => ({
    path: t.exposeString('path', { description: 'Its path within the workspace, for example `report.md`.' }),
    sizeBytes: t.exposeInt('sizeBytes', { description: 'Its size in bytes.' }),
    modifiedAt: t.expose('modifiedAt', { type: 'DateTime', description: 'When it was last written.' }),
    url: t.string({
      description: 'Path of the download on this server, beginning with `/`.',
      resolve: (file) => jobFileUrl(file),
    }),
  }),
});

/** A longer report is only available as a download. */
const MAX_REPORT_BYTES = 1_000_000;

const JobReport = builder.objectRef<JobFile>('JobReport').implement({
  rule: 'viewer: shared',
  description: 'The report of a job.',
  fields: (t) => ({
    file: t.field({
      type: WorkspaceFile,
      description: 'The file.',
      resolve: (file) => file,
    }),
    markdown: t.string({
      nullable: true,
      description: 'Its text; null above 1 MB, when it is only available as a download.',
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
    description: 'Files of its workspace, by path.',
    resolve: async ({ id }, _args, { services, viewer }) => [...(await services.jobFiles.list(viewer, id))],
  }),
  report: t.field({
    type: JobReport,
    nullable: true,
    description:
      'The newest report that it named when finishing or requesting a review; null before that, and if the file is gone.',
    resolve: async ({ id }, _args, { loaders, services, viewer }) => {
      const path = await loaders.reportPathOfJob.load(id);
      if (path === null) return null;
      const files = await services.jobFiles.list(viewer, id);
      return files.find((file) => file.path === path) ?? null;
    },
  }),
}));
