/** Where the API serves the site. */
export const base = "/docs";

/** Where readers find the files that are no pages, and edit those that are. */
export const repository = "https://github.com/acme/portage";
