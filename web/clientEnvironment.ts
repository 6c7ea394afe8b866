/** Vitest's environment for the client without a document. */
export default { name: 'client', viteEnvironment: 'client', setup: () => ({ teardown: () => undefined }) };
