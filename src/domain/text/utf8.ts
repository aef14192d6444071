const encoder = new TextEncoder();

/** Bytes of a text in UTF-8, on server and client. */
export const utf8Bytes = (text: string): number => encoder.encode(text).length;
