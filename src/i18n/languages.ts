/** The languages of pages, documents, e-mails, the admin's pages and refusals. Code and logs are in English. */
export const LANGUAGES = ["en", "bn"] as const
export type Language = (typeof LANGUAGES)[number]
