/** Client-side routing: the page shown depends on the path, relative to the base of the site, and on the query. */

/** The path of the site, `/` or `/games/rowlock/`: that of `<base>`, to which all links are relative. */
const BASE = new URL('.', document.baseURI).pathname;

/** The path of the page without the base: `rules/classic`. Web hosts may show the file of a page with its name. */
function pathOfPage(): string {
  const path = location.pathname.replace(/\/index\.html$/, '/');
  return path.startsWith(BASE) ? path.slice(BASE.length) : path;
}

let path = $state(pathOfPage());
let query = $state(location.search);

function readLocation(): void {
  path = pathOfPage();
  query = location.search;
}

addEventListener('popstate', readLocation);

export const currentPath = (): string => path;
export const currentQuery = (): URLSearchParams => new URLSearchParams(query);

/** Show another page, `t/ABC234`; `replace` overwrites the current entry of the browser's history. */
export function navigate(url: string, replace = false): void {
  // Browsers resolve the address against the base.
  if (replace) history.replaceState(null, '', url);
  else history.pushState(null, '', url);
  readLocation();
  scrollTo(0, 0);
}

/** Route plain clicks on links to pages of this app; the browser handles all others. */
export function handleLinkClick(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element).closest('a');
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
  if (!link.pathname.startsWith(BASE) || link.pathname.startsWith(`${BASE}api/`)) return;
  event.preventDefault();
  navigate(link.href);
}
