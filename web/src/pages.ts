/** The addresses of the pages, relative to the base of the site. */

const PAGES = /^(|(new|local|replay|settings|rules(\/[^/]+)?|t\/[^/]+(\/replay)?)\/?)$/;

/** Whether there is a page at this path: `rules/classic`. */
export const isPage = (path: string): boolean => PAGES.test(path);
