declare module 'virtual:catalogue/*' {
  const url: string;
  export default url;
}

/** It has no types of its own. */
declare module 'subset-font' {
  export default function subsetFont(font: Uint8Array, text: string, options: { targetFormat: 'woff2'; noLayoutClosure?: boolean }): Promise<Uint8Array>;
}
