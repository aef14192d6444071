import type { GraphQLServices } from '../../schema/context.ts';

/**
 * Services for tests of the transports alone: only what a test gives is there, anything else fails when it is used.
 * The project `demo` always exists.
 */
export function stubServices(given: Partial<GraphQLServices>): GraphQLServices {
  const project = { projectId: 'demo', name: 'Demo' };
  const services: Partial<GraphQLServices> = {
    projects: { list: async () => [project], resolve: async () => project },
    copilot: unused('copilot'),
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
