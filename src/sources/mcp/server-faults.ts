/** What can go wrong with a server, as errors with codes, in words that hold neither its address nor its secrets. */
import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { LabServerError } from '../../base/errors.ts';
import { mapStrings } from '../../domain/text/stored-text.ts';
import { isRecord } from '../../domain/values/stored-values.ts';
import { inOneLine } from './bounded-schema.ts';
import { closedEarly } from './transports.ts';

const UNWELCOME = 'refuses the credentials of this server; its operator must set its token';

/** The fault behind an error; `lost`: why the connection closed, where that is known better. */
export function faultOf(server: string, given: unknown, lost: LabServerError | null): LabServerError {
  const fault = (code: LabServerError['code'], words: string, retryable = false): LabServerError =>
    new LabServerError(code, `${server} ${words}`, { cause: given, retryable });
  const causes = causesOf(given);
  const error =
    causes.find((each) => each instanceof LabServerError || each instanceof SdkHttpError) ?? given;
  if (error instanceof LabServerError) return error;
  const code = causes.map(systemCode).find((each) => each !== null);
  if (code != null) return fault('MCP_SERVER_AWAY', `cannot be reached (${code})`, true);
  if (error instanceof SdkHttpError) {
    return error.status === 401 || error.status === 403
      ? fault('MCP_SERVER_REFUSED', `${UNWELCOME} (HTTP ${error.status})`)
      : fault('MCP_SERVER_AWAY', `answers HTTP ${error.status}`, true);
  }
  if (error instanceof UnauthorizedError) return fault('MCP_SERVER_REFUSED', UNWELCOME);
  if (error instanceof ProtocolError) {
    return fault('MCP_TOOL_ERROR', `refuses the call: ${inOneLine(error.message, 300)}`);
  }
  if (!(error instanceof SdkError)) {
    return fault('MCP_NOT_MCP', 'answers with what is no message of the protocol');
  }
  const { code: kind } = error;
  if (kind === SdkErrorCode.RequestTimeout) {
    return fault('MCP_TIMEOUT', 'did not answer in time; whether it did what was asked is not known', true);
  }
  if (kind === SdkErrorCode.ConnectionClosed || kind === SdkErrorCode.NotConnected) {
    return lost ?? closedEarly(server);
  }
  return fault('MCP_NOT_MCP', `answers in a way that this server does not understand (${kind})`);
}

/** An error with what caused it, outermost first. */
function causesOf(error: unknown): readonly unknown[] {
  if (!isRecord(error)) return [];
  const { cause, errors } = error;
  return [error, ...(Array.isArray(errors) ? errors.flatMap(causesOf) : []), ...causesOf(cause)];
}

/** The system's code, such as `ECONNREFUSED` or `ENOENT`; other words may name the address. */
function systemCode(error: unknown): string | null {
  const code = isRecord(error) ? error['code'] : null;
  return typeof code === 'string' && /^(?:E[A-Z]+|UND_ERR_[A-Z_]+)$/u.test(code) ? code : null;
}

/** The message of anything that was thrown. */
export const messageOf = (error: unknown): string =>
  isRecord(error) && typeof error['message'] === 'string' ? inOneLine(error['message'], 300) : 'unknown';

const REDACTED = '[redacted]';

/** Takes secrets out of what a server says, which may repeat what it was sent. */
export function withoutSecrets(secrets: readonly string[]): <Value>(value: Value) => Value {
  const known = secrets.filter((secret) => secret !== '');
  const clean = (text: string): string =>
    known.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
  // A secret of digits may come back as a number.
  const ofNumber = (_key: string, item: unknown): unknown =>
    typeof item === 'number' && known.some((secret) => String(item).includes(secret)) ? REDACTED : item;
  return (value) => {
    if (known.length === 0) return value;
    return mapStrings(JSON.parse(JSON.stringify(value), ofNumber), clean) as typeof value;
  };
}
