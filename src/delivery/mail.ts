/** Sends mails by the server of `SMTP_URL`. */
import { createTransport } from 'nodemailer';
import { DeliveryError } from './webhook.ts';

export type Mail = {
  /** The same for each attempt: receivers show it once. */
  readonly id: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
};

/** Returns the code of the answer. @throws DeliveryError unless the server took the mail */
export type SendMail = (mail: Mail) => Promise<number>;

const TIMEOUT_MS = 15_000;

/** `url`: `smtp://name:password@host:587`, `smtps://…` for TLS from the start. */
export function createMailer({ url, from }: { readonly url: string; readonly from: string }): SendMail {
  const domain = from.replace(/^.*@|>.*/gu, '') || 'qpilot';
  const { hostname, host } = new URL(url);
  return async ({ id, to, subject, text }) => {
    const transport = createTransport(
      { url, connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS },
      { from },
    );
    try {
      const { response } = await transport.sendMail({
        to: [...to],
        subject,
        text,
        messageId: `<${id}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
      return Number.parseInt(response, 10);
    } catch (error) {
      const { code, responseCode } = (error ?? {}) as {
        readonly code?: unknown;
        readonly responseCode?: unknown;
      };
      const status = typeof responseCode === 'number' ? responseCode : null;
      const why =
        status === null
          ? `cannot be reached (${typeof code === 'string' ? code : 'unknown error'})`
          : `answered ${status}`;
      // 5xx is a lasting refusal; 4xx and what never answered may pass.
      throw new DeliveryError(`the mail server ${host || hostname} ${why}`, {
        retryable: status === null || status < 500,
        status,
      });
    } finally {
      transport.close();
    }
  };
}
