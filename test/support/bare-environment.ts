/** The environment of a process in which nothing is configured but what its test says. */
export const bareEnvironment: Readonly<Record<string, string>> = {
  PATH: process.env['PATH'] ?? '',
  // Whoever runs the tests keeps what Node compiles, so such processes need not compile the program each time.
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
};
