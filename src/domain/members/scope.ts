/** What an assistant of another maker may do for somebody: read what the project has, and ask the copilot in their name. */
export const SCOPES = ['read', 'ask'] as const;
export type Scope = (typeof SCOPES)[number];
