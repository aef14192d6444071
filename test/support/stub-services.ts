import type { GraphQLServices } from '../../schema/context.ts';
import { createProjects } from '../../src/services/calibration/chips.ts';
import { createAccess } from '../../src/services/members/access.ts';

/**
 * Services for tests of the transports alone: only what a test gives is there, anything else fails when it is used.
 * Without projects there is one, `demo`; everybody owns all.
 */
export function stubServices(given: Partial<GraphQLServices>): GraphQLServices {
  const project = { projectId: 'demo', name: 'Demo' };
  const projects = given.projects ?? createProjects({ projects: async () => [project] }, null);
  const services: Partial<GraphQLServices> = {
    access: createAccess({ projects, members: { projectsOf: async () => [] } }),
    copilot: unused('copilot'),
    audit: {
      ...unused<GraphQLServices['audit']>('audit'),
      perform: (_act, work) => work(),
      viewed: async () => undefined,
    },
    // No version: nothing is held.
    chipVersions: { of: async () => null },
    shareCurrentValues: () => unused('currentValues'),
    ...given,
  };
  return new Proxy(services, {
    get: (target, name) => Reflect.get(target, name) ?? unused(String(name)),
  }) as GraphQLServices;
}

/** Stands for a service that the test does not need. */
function unused<Service extends object>(name: string): Service {
  return new Proxy({} as Service, {
    get: (_target, method) => {
      if (method === 'byId') return unused(`${name}.byId`);
      return () => {
        throw new Error(`the test gave no ${name}.${String(method)}`);
      };
    },
  });
}
