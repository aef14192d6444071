'use strict';
// Runs first in the sealed realm and gives Pyodide the few web interfaces it needs. All of them are written here, of
// the realm's own intrinsics: a single function of the host would be a way out.
(() => {
  const CHUNK = 8192;
  const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const text = (codeUnits) => Reflect.apply(String.fromCharCode, null, codeUnits);
  const nothing = () => {};

  /** Bytes that UTF-8 needs for the code point; lone surrogates take three, as in WTF-8. */
  const utf8Length = (codePoint) =>
    codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;

  class TextEncoder {
    get encoding() {
      return 'utf-8';
    }

    encode(value) {
      const source = String(value);
      const target = new Uint8Array(source.length * 3);
      return target.slice(0, this.encodeInto(source, target).written);
    }

    encodeInto(source, target) {
      let read = 0;
      let written = 0;
      while (read < source.length) {
        const codePoint = source.codePointAt(read);
        const length = utf8Length(codePoint);
        if (written + length > target.length) break;
        if (length === 1) {
          target[written++] = codePoint;
        } else {
          const lead = length === 2 ? 0xc0 : length === 3 ? 0xe0 : 0xf0;
          target[written++] = lead | (codePoint >> (6 * (length - 1)));
          for (let rest = length - 2; rest >= 0; rest--)
            target[written++] = 0x80 | ((codePoint >> (6 * rest)) & 0x3f);
        }
        read += codePoint > 0xffff ? 2 : 1;
      }
      return { read, written };
    }
  }

  const bytesOf = (source) =>
    source instanceof Uint8Array
      ? source
      : ArrayBuffer.isView(source)
        ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
        : new Uint8Array(source);

  /** Pyodide decodes what Python encoded, so malformed input needs no repair, only no failure. */
  function decodeUtf8(bytes) {
    let out = '';
    let units = [];
    for (let at = 0; at < bytes.length;) {
      const lead = bytes[at++];
      if (lead < 0x80) units.push(lead);
      else if (lead < 0xe0) units.push(((lead & 0x1f) << 6) | (bytes[at++] & 0x3f));
      else if (lead < 0xf0)
        units.push(((lead & 0x0f) << 12) | ((bytes[at++] & 0x3f) << 6) | (bytes[at++] & 0x3f));
      else {
        const high = ((lead & 0x07) << 18) | ((bytes[at++] & 0x3f) << 12);
        const codePoint = (high | ((bytes[at++] & 0x3f) << 6) | (bytes[at++] & 0x3f)) - 0x10000;
        units.push(0xd800 + (codePoint >> 10), 0xdc00 + (codePoint & 0x3ff));
      }
      if (units.length >= CHUNK) {
        out += text(units);
        units = [];
      }
    }
    return out + text(units);
  }

  function decodeUnits(units) {
    let out = '';
    for (let at = 0; at < units.length; at += CHUNK) out += text(units.subarray(at, at + CHUNK));
    return out;
  }

  class TextDecoder {
    constructor(encoding = 'utf-8') {
      this.encoding = String(encoding).toLowerCase();
    }

    decode(source) {
      if (source === undefined) return '';
      const bytes = bytesOf(source);
      if (/^utf-?16/.test(this.encoding)) return decodeUnits(new Uint16Array(bytes.slice().buffer));
      return /^utf-?8$/.test(this.encoding) ? decodeUtf8(bytes) : decodeUnits(bytes);
    }
  }

  function btoa(binary) {
    let out = '';
    for (let at = 0; at < binary.length; at += 3) {
      const left = binary.length - at;
      const [a, b, c] = [0, 1, 2].map((offset) => (offset < left ? binary.charCodeAt(at + offset) : 0));
      out += BASE64[a >> 2] + BASE64[((a & 3) << 4) | (b >> 4)];
      out += (left > 1 ? BASE64[((b & 15) << 2) | (c >> 6)] : '=') + (left > 2 ? BASE64[c & 63] : '=');
    }
    return out;
  }

  const randomByte = () => Math.floor(Math.random() * 256);

  /** Without `process` Pyodide takes this for a bare JavaScript shell and asks the shell's `head` for random bytes. */
  function system(_command, args) {
    const count = Number(/head -c(\d+)/.exec(args[1])[1]);
    return btoa(text(Array.from({ length: count }, randomByte)));
  }

  Object.assign(globalThis, {
    TextEncoder,
    TextDecoder,
    btoa,
    os: { system },
    performance: { now: () => Date.now(), timeOrigin: 0 },
    crypto: {
      getRandomValues: (view) => (bytesOf(view).forEach((_, at, bytes) => (bytes[at] = randomByte())), view),
    },
    console: { log: nothing, warn: nothing, error: nothing, info: nothing, debug: nothing, trace: nothing },
    setTimeout: () => 0,
    clearTimeout: nothing,
    setInterval: () => 0,
    clearInterval: nothing,
    AbortController: class AbortController {
      signal = { addEventListener: nothing };
      abort() {}
    },
    AbortSignal: { any: () => ({ addEventListener: nothing }) },
    URL: class URL {
      constructor(url) {
        this.href = String(url);
      }
    },
  });

  // Node formats stacks by a function of its own, and what that throws when the stack is full is an error of the
  // host. Of an error without a stack there is nothing to format.
  Object.defineProperty(Error, 'stackTraceLimit', { value: undefined, writable: false, configurable: false });
  delete globalThis.SharedArrayBuffer;
  delete globalThis.Atomics;
  // Both call back into Node, whose errors belong to the host.
  delete WebAssembly.compileStreaming;
  delete WebAssembly.instantiateStreaming;
})();
