/** Client-side routing: the page shown depends on the path. */

let path = $state(location.pathname);

addEventListener('popstate', () => (path = location.pathname));

export const currentPath = (): string => path;

/** Show another page; `replace` overwrites the current entry of the browser's history. */
export function navigate(url: string, replace = false): void {
  if (replace) history.replaceState(null, '', url);
  else history.pushState(null, '', url);
  path = location.pathname;
  scrollTo(0, 0);
}

/** Route plain clicks on links to pages of this app; the browser handles all others. */
export function handleLinkClick(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element).closest('a');
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
  if (link.pathname.startsWith('/api/')) return;
  event.preventDefault();
  navigate(link.pathname + link.search + link.hash);
}
