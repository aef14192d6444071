import { Grid } from '@mantine/core';
import type { ReactNode } from 'react';

/** Widths at which columns change, of the page and not of the window: the copilot beside it takes room too. */
const BREAKPOINTS = { xs: '480px', sm: '640px', md: '900px', lg: '1180px', xl: '1600px' };

/** The panels of a page side by side as far as the page has room; its children are `Grid.Col`s. */
export function PageGrid({ children }: { readonly children: ReactNode }) {
  return (
    <Grid gap="sm" type="container" breakpoints={BREAKPOINTS}>
      {children}
    </Grid>
  );
}
