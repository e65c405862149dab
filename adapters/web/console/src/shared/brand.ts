/** What the installation is called: the service writes it into the page. */
export const BRAND = document.title;
