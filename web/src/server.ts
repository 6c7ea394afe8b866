/** Whether this site has a server. A static site (`rowlock site`) has none, and shows nothing that needs one. */
const MARKER = 'meta[name="rowlock-server"][content="none"]';
export const hasServer = typeof document === 'undefined' || document.querySelector(MARKER) === null;
