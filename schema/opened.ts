import type { GraphQLContext } from './context.ts';

/** Records that the viewer opened what somebody else shares; it passes through. */
export async function opened<Found extends { readonly id: string; readonly viewerId: string }>(
  what: 'session' | 'job',
  found: Found | null,
  { viewer, actor, services }: Pick<GraphQLContext, 'viewer' | 'actor' | 'services'>,
): Promise<Found | null> {
  if (found !== null && found.viewerId !== viewer.id)
    await services.audit.viewed({ ...actor, action: 'openShared', ids: { [what]: found.id } });
  return found;
}
