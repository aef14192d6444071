import { createBrowserRouter, redirect } from 'react-router';
import { ErrorPage } from './error-pages.tsx';
import { NotFound } from './error-pages.tsx';
import { PROJECTS_PAGE } from '../../src/domain/members/pages.ts';
import { PageSkeleton } from '../components/page-skeleton.tsx';
import { ShellWithCopilot } from './shell/shell.tsx';

/** Addresses of pages that are of no project. */
export const isOutside = (pathname: string): boolean =>
  /^\/(?:sign-in|welcome|device|connect)(?:\/|$)/u.test(pathname);

/** The pages around a sign-in. Each is loaded from its own file when first opened. */
export const createRouterOutside = () =>
  createBrowserRouter([
    {
      path: 'sign-in',
      ErrorBoundary: ErrorPage,
      HydrateFallback: PageSkeleton,
      lazy: async () => ({
        Component: (await import('../features/account/sign-in-page.tsx')).SignInPage,
      }),
    },
    {
      path: 'welcome',
      ErrorBoundary: ErrorPage,
      HydrateFallback: PageSkeleton,
      lazy: async () => ({
        Component: (await import('../features/account/welcome-page.tsx')).WelcomePage,
      }),
    },
    {
      path: 'device',
      ErrorBoundary: ErrorPage,
      HydrateFallback: PageSkeleton,
      lazy: async () => ({
        Component: (await import('../features/account/device-page.tsx')).DevicePage,
      }),
    },
    {
      path: 'connect',
      ErrorBoundary: ErrorPage,
      HydrateFallback: PageSkeleton,
      lazy: async () => ({
        Component: (await import('../features/account/connect-page.tsx')).ConnectPage,
      }),
    },
    {
      // For those who are in no project, or in none yet.
      path: 'account',
      ErrorBoundary: ErrorPage,
      HydrateFallback: PageSkeleton,
      lazy: async () => ({
        Component: (await import('../features/account/account-page.tsx')).AccountPage,
      }),
    },
  ]);

/** The pages of a project, below `base`. */
export const createRouter = (base: string) =>
  createBrowserRouter(
    [
      {
        path: '/',
        Component: ShellWithCopilot,
        ErrorBoundary: ErrorPage,
        HydrateFallback: PageSkeleton,
        children: [
          { index: true, loader: () => redirect('/chips') },
          {
            ErrorBoundary: ErrorPage,
            children: [
              {
                path: 'chips',
                lazy: async () => ({
                  Component: (await import('../features/chips/chips-page.tsx')).ChipsPage,
                }),
              },
              {
                path: 'chips/:chipId',
                lazy: async () => ({ Component: (await import('../features/chips/chip-page.tsx')).ChipPage }),
              },
              {
                path: 'chips/:chipId/qubits/:qid',
                lazy: async () => ({
                  Component: (await import('../features/qubits/qubit-page.tsx')).QubitPage,
                }),
              },
              {
                path: 'chips/:chipId/couplings/:pair',
                lazy: async () => ({
                  Component: (await import('../features/qubits/coupling-page.tsx')).CouplingPage,
                }),
              },
              {
                path: 'compare',
                lazy: async () => ({
                  Component: (await import('../features/compare/compare-page.tsx')).ComparePage,
                }),
              },
              {
                path: 'import',
                lazy: async () => ({
                  Component: (await import('../features/imports/import-page.tsx')).ImportPage,
                }),
              },
              {
                path: 'copilot/:sessionId?',
                lazy: async () => ({
                  Component: (await import('../features/copilot/copilot-page.tsx')).CopilotPage,
                }),
              },
              {
                path: 'answers/:key',
                lazy: async () => ({
                  Component: (await import('../features/copilot/shared-answer-page.tsx')).SharedAnswerPage,
                }),
              },
              {
                path: 'boards',
                lazy: async () => ({
                  Component: (await import('../features/boards/boards-page.tsx')).BoardsPage,
                }),
              },
              {
                path: 'boards/:boardId',
                lazy: async () => ({
                  Component: (await import('../features/boards/board-page.tsx')).BoardPage,
                }),
              },
              {
                path: 'alerts',
                lazy: async () => ({
                  Component: (await import('../features/alerts/alerts-page.tsx')).AlertsPage,
                }),
              },
              {
                path: 'jobs',
                lazy: async () => ({
                  Component: (await import('../features/jobs/list/jobs-page.tsx')).JobsPage,
                }),
              },
              {
                path: 'jobs/new',
                lazy: async () => ({
                  Component: (await import('../features/jobs/new/new-job-page.tsx')).NewJobPage,
                }),
              },
              {
                path: 'jobs/:jobId',
                lazy: async () => ({
                  Component: (await import('../features/jobs/job/job-page.tsx')).JobPage,
                }),
              },
              {
                path: 'settings',
                lazy: async () => ({
                  Component: (await import('../features/settings/settings-page.tsx')).SettingsPage,
                }),
              },
              {
                path: 'members',
                lazy: async () => ({
                  Component: (await import('../features/sharing/members-page.tsx')).MembersPage,
                }),
              },
              {
                path: 'shared/:key',
                lazy: async () => ({
                  Component: (await import('../features/sharing/opened-link-page.tsx')).OpenedLinkPage,
                }),
              },
              {
                path: 'settings/audit',
                lazy: async () => ({
                  Component: (await import('../features/audit/audit-page.tsx')).AuditPage,
                }),
              },
              {
                path: 'account',
                lazy: async () => ({
                  Component: (await import('../features/account/account-page.tsx')).AccountPage,
                }),
              },
              {
                path: 'search',
                lazy: async () => ({
                  Component: (await import('../features/search/search-page.tsx')).SearchPage,
                }),
              },
              {
                path: 'records/:taskId',
                lazy: async () => ({
                  Component: (await import('../features/search/record-page.tsx')).RecordPage,
                }),
              },
              {
                // A whole address in the words of an answer, maybe of another project.
                path: 'projects/*',
                loader: ({ params }) => {
                  location.replace(`${PROJECTS_PAGE}/${params['*'] ?? ''}`);
                  return null;
                },
                Component: PageSkeleton,
              },
              { path: '*', Component: NotFound },
            ],
          },
        ],
      },
    ],
    { basename: base },
  );
