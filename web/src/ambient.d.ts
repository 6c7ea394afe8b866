declare module 'virtual:catalogue/*' {
  const url: string;
  export default url;
}

/** It has no types of its own. */
declare module 'subset-font' {
  type Options = { targetFormat: 'woff2'; noLayoutClosure?: boolean; noHinting?: boolean; keepFeatures?: string[] };
  export default function subsetFont(font: Uint8Array, text: string, options: Options): Promise<Uint8Array>;
}
