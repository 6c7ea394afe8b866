// Short names of the styles of components are fewer bytes.
export default { compilerOptions: { runes: true, cssHash: ({ hash, filename }) => `s${hash(filename).slice(0, 5)}` } };
