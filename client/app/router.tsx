import { createBrowserRouter, redirect } from 'react-router';
import { ErrorPage } from './error-page.tsx';
import { NotFound } from './not-found.tsx';
import { PageLoading } from './page-loading.tsx';
import { Shell } from './shell/shell.tsx';

/** The pages. Each comes in a file of its own when it is first opened. */
export function createRouter() {
  return createBrowserRouter([
    {
      path: '/',
      Component: Shell,
      ErrorBoundary: ErrorPage,
      HydrateFallback: PageLoading,
      children: [
        { index: true, loader: () => redirect('/chips') },
        {
          ErrorBoundary: ErrorPage,
          children: [
            {
              path: 'settings',
              lazy: async () => ({
                Component: (await import('../features/settings/settings-page.tsx')).SettingsPage,
              }),
            },
            { path: '*', Component: NotFound },
          ],
        },
      ],
    },
  ]);
}
