'use strict';
// Boots Pyodide in the sealed realm and evaluates to the object through which the host drives it. Strings and numbers
// cross; the only objects are byte arrays of the realm, which the host fills before any analysed code runs.
(() => {
  const PAGE_BYTES = 65_536;
  /** Emscripten numbers its errors as WASI does; system calls return them negative. */
  const EPERM = -63;
  const WASI_EROFS = 69;
  const EROFS = -69;
  const O_ACCMODE = 3;
  const O_CREAT = 64;
  const ASSETS = '/pyodide/';

  /** What would run code of the host in a Pyodide that was not loaded in this realm. */
  const NEVER = /^(emscripten_run_script|emscripten_async_|emscripten_fetch|emscripten_wget|_setitimer_js)/;
  /** What would start programs or open connections; as a system call it can fail politely. */
  const NOT_PERMITTED =
    /^(_emscripten_system|__syscall_(socket|connect|bind|listen|accept4|sendto|recvfrom|sendmsg|recvmsg))$/;
  /** Native libraries are loaded, if at all, before the realm is sealed. */
  const NEVER_ONCE_SEALED = /^(_dlopen_js|_emscripten_dlopen_js)$/;
  /** Files would be memory outside the interpreter's own, so nothing is written once sealed. */
  const READ_ONLY_ONCE_SEALED =
    /^(fd_pwrite|__syscall_(mkdirat|mknodat|symlinkat|linkat|renameat|ftruncate64|truncate64|fallocate))$/;

  const files = Object.create(null);
  let sealed = false;
  let state = 'starting';
  let pyodide;
  let analyse;

  globalThis.read = (path) => {
    throw new Error(`no file access: ${path}`);
  };
  globalThis.load = (path) => {
    throw new Error(`no scripts: ${path}`);
  };
  globalThis.readbuffer = (path) => {
    if (!(path in files)) throw new Error(`no such asset: ${path}`);
    return files[path];
  };
  globalThis.refuseImport = async () => {
    throw new Error('import() is not available in the sandbox');
  };

  /** Emscripten reads a function's WebAssembly type off its `sig`. */
  const like = (original, replacement) => Object.assign(replacement, { sig: original.sig });

  const refuse = (name, original, allowed = () => false) =>
    like(original, (...args) => {
      if (allowed()) return original(...args);
      throw new Error(`not available in the sandbox: ${name}`);
    });

  /** Modules and memories of analysed code would be outside the interpreter's bounds, and memory could be shared. */
  function closeWebAssembly() {
    for (const name of ['Memory', 'Module', 'Instance']) {
      delete WebAssembly[name].prototype.constructor;
      delete WebAssembly[name];
    }
    for (const name of ['instantiate', 'compile', 'validate']) delete WebAssembly[name];
  }

  function replaceImports(env, wasi, limitBytes) {
    for (const [name, original] of Object.entries(env)) {
      if (typeof original !== 'function') continue;
      if (NEVER.test(name)) env[name] = refuse(name, original);
      else if (NOT_PERMITTED.test(name)) env[name] = like(original, () => EPERM);
      else if (NEVER_ONCE_SEALED.test(name)) env[name] = refuse(name, original, () => !sealed);
      else if (READ_ONLY_ONCE_SEALED.test(name))
        env[name] = like(original, (...args) =>
          sealed ? (name === 'fd_pwrite' ? WASI_EROFS : EROFS) : original(...args),
        );
    }
    const { emscripten_resize_heap: resize, __syscall_openat: open } = env;
    env.emscripten_resize_heap = like(resize, (bytes) => (bytes >>> 0 > limitBytes ? 0 : resize(bytes)));
    env.__syscall_openat = like(open, (dir, path, flags, mode) =>
      sealed && flags & (O_ACCMODE | O_CREAT) ? EROFS : open(dir, path, flags, mode),
    );
    for (const imports of new Set([env, wasi])) {
      const { fd_write: write } = imports;
      if (write)
        imports.fd_write = like(write, (fd, iov, count, written) =>
          sealed && fd > 2 ? WASI_EROFS : write(fd, iov, count, written),
        );
    }
  }

  /** Links the interpreter against the replaced imports; later calls go to the original again. */
  function interceptInstantiate(limitBytes) {
    const { instantiate, Instance, Module } = WebAssembly;
    WebAssembly.instantiate = async (source, imports) => {
      if (!imports?.env?.emscripten_resize_heap)
        return Reflect.apply(instantiate, WebAssembly, [source, imports]);
      WebAssembly.instantiate = instantiate;
      replaceImports(imports.env, imports.wasi_snapshot_preview1, limitBytes);
      const module = new Module(source);
      return { instance: new Instance(module, imports), module };
    };
  }

  /** Keeps the outcome of something slow where the host can see it. */
  function settle(promise, then) {
    state = 'starting';
    promise.then(
      (value) => {
        try {
          then(value);
          state = 'ready';
        } catch (error) {
          state = `failed: ${error?.message}`;
        }
      },
      (error) => {
        state = `failed: ${error?.message}`;
      },
    );
  }

  function forgetFiles() {
    for (const name of Object.keys(files)) delete files[name];
  }

  /** From files that were allocated under their names. */
  function loadPackages(namesJson) {
    const names = JSON.parse(namesJson);
    const errors = [];
    const callbacks = {
      messageCallback: () => {},
      errorCallback: (text) => errors.push(text),
      checkIntegrity: false,
    };
    settle(pyodide.loadPackage(names, callbacks), () => {
      forgetFiles();
      if (errors.length > 0) throw new Error(errors.join('; '));
      const missing = names.filter((name) => !(name in pyodide.loadedPackages));
      if (missing.length > 0) throw new Error(`not loaded: ${missing.join(', ')}`);
    });
  }

  function start(lockText, wasmPages, snapshotName, makesSnapshot) {
    interceptInstantiate(wasmPages * PAGE_BYTES);
    const { createPyodideModule, loadPyodide } = globalThis;
    globalThis.createPyodideModule = globalThis.loadPyodide = undefined;
    const options = {
      indexURL: ASSETS,
      packageBaseUrl: ASSETS,
      stdLibURL: `${ASSETS}python_stdlib.zip`,
      lockFileContents: JSON.parse(lockText),
      jsglobals: Object.create(null),
      createPyodideModule,
      stdout: () => {},
      stderr: () => {},
      stdin: () => null,
      env: { HOME: '/home/pyodide', PYTHONHASHSEED: '0' },
      ...(makesSnapshot && { _makeSnapshot: true }),
      ...(snapshotName && { _loadSnapshot: files[snapshotName] }),
    };
    settle(loadPyodide(options), (loaded) => {
      pyodide = loaded;
      forgetFiles();
    });
  }

  return Object.assign(Object.create(null), {
    /** Room for an asset, to be filled by the host; `name` is what Pyodide asks for. */
    allocate: (name, bytes) => (files[name] = new Uint8Array(bytes)),
    start,
    loadPackages,
    state: () => state,
    /** Runs trusted Python while booting. */
    python: (source) => {
      pyodide.runPython(source);
    },
    takeSnapshot: () => pyodide.makeMemorySnapshot(),
    /** From here on the realm belongs to the analysed code; `entry` names the Python function that runs it. */
    seal: (entry) => {
      analyse = pyodide.globals.get(entry);
      sealed = true;
      closeWebAssembly();
    },
    /** The answer of the Python function, or nothing when the interpreter broke. */
    run: (code, data, options) => {
      try {
        const answer = analyse(code, data, options);
        return typeof answer === 'string' ? answer : undefined;
      } catch {
        return undefined;
      }
    },
  });
})();
