/**
 * SVG to PNG, with a font that comes along: a fresh machine has none. The renderer is WebAssembly, so that whatever it is given,
 * it can reach neither files nor network, nor the memory of this process. For a thread of its own: a picture takes it tens of milliseconds.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

/** Latin, Greek and Japanese. */
const FAMILY = 'M PLUS 1p';

/** An SVG at a width in pixels. @throws Error for what is no SVG */
export type Raster = (svg: string, widthPx: number) => Uint8Array<ArrayBuffer>;

export async function openRaster(): Promise<Raster> {
  const require = createRequire(import.meta.url);
  const files = [
    require.resolve('@expo-google-fonts/m-plus-1p/400Regular/MPLUS1p_400Regular.ttf'),
    require.resolve('@expo-google-fonts/m-plus-1p/700Bold/MPLUS1p_700Bold.ttf'),
  ];
  const fontBuffers = await Promise.all(files.map((file) => readFile(file)));
  await initWasm(await readFile(require.resolve('@resvg/resvg-wasm/index_bg.wasm')));
  return (svg, widthPx) => {
    const picture = new Resvg(svg, {
      fitTo: { mode: 'width', value: widthPx },
      font: {
        fontBuffers,
        loadSystemFonts: false,
        defaultFontFamily: FAMILY,
        sansSerifFamily: FAMILY,
        monospaceFamily: FAMILY,
      },
    });
    const image = picture.render();
    const png = Uint8Array.from(image.asPng());
    // Not after an error: that of the renderer leaves its memory in no state that can be freed, and its thread ends.
    image.free();
    picture.free();
    return png;
  };
}
