/** Refusals of OAuth, in the words of its specifications. */

const STATUS = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_scope: 400,
  invalid_target: 400,
  unsupported_grant_type: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  slow_down: 429,
  temporarily_unavailable: 503,
} as const;

/** Its message says what would be right; programs show it to people. */
export class OAuthError extends Error {
  readonly code: keyof typeof STATUS;
  readonly retryAfterSeconds: number | null;
  constructor(code: keyof typeof STATUS, message: string, retryAfterSeconds: number | null = null) {
    super(message);
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
  get status(): number {
    return STATUS[this.code];
  }
}
