/** Which routes below `/auth` are acts: every one that changes something, but those of a sign-in, recorded as such. */
const NOT_RECORDED: ReadonlySet<string> = new Set([
  'POST /invitation',
  'POST /device/code',
  'POST /device/token',
  'POST /sign-in/email',
  'POST /sign-in/social',
  'POST /sign-in/qdash',
  'POST /two-factor/verify-totp',
  'POST /two-factor/verify-backup-code',
]);

export const isRecorded = (route: string): boolean => !NOT_RECORDED.has(route);

export const kindOf = (route: string): 'SIGN_OUT' | 'ADMINISTER' =>
  /^POST \/(?:sign-out|revoke-|assistants\/remove)/u.test(route) ? 'SIGN_OUT' : 'ADMINISTER';
