/** The data of server-sent events of a response, one after another; comments and event names are left out. */
export async function* dataOf(response: Response): AsyncGenerator<string> {
  if (!response.ok || response.body === null) {
    throw new Error(`status ${response.status}: ${(await response.text()).slice(0, 300)}`);
  }
  let rest = '';
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data:')) yield line.slice(5).trim();
  }
}
