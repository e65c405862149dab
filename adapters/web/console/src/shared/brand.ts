/** The name of the installation, which the service writes into the page title. */
export const BRAND = document.title;
