/** A game in the fragment of a link, which browsers do not send to the server: its record, and the file of an own variant. */
import { ApiError } from '../apiError.ts';

const FRAGMENT = /^#game=([^.]*)(?:\.([^.]*))?$/;
/** Bounds for what a link may hold: no record of a whole game comes near. */
const MAX_LINK = 20_000; // characters
const MAX_TEXT = 100_000; // bytes

export interface SharedGame {
  record: string;
  /** The file of the variant, if it is not built in. */
  file: string | null;
}

/** The game in the fragment of an address; null if the fragment has none. */
export async function sharedGame(fragment: string): Promise<SharedGame | null> {
  if (!fragment.startsWith('#game=')) return null;
  const [, record, file] = FRAGMENT.exec(fragment) ?? [];
  try {
    if (record === undefined || fragment.length > MAX_LINK) throw new ApiError('link');
    return { record: await decode(record), file: file === undefined ? null : await decode(file) };
  } catch {
    throw new ApiError('link');
  }
}

export async function gameFragment({ record, file }: SharedGame): Promise<string> {
  return `#game=${await encode(record)}${file === null ? '' : `.${await encode(file)}`}`;
}

/** A text, compressed, in letters, digits, `-` and `_`. */
async function encode(text: string): Promise<string> {
  const bytes = await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'))).arrayBuffer();
  return btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

async function decode(encoded: string): Promise<string> {
  const bytes = Uint8Array.from(atob(encoded.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.length;
    if (length > MAX_TEXT) throw new ApiError('link');
    text += decoder.decode(value, { stream: true });
  }
}
