/** The stores cannot run as asked: a port, a folder, a missing program, another owner. The message says what to change. */
export class StoresError extends Error {}
