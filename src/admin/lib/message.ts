import type { Param } from "../../i18n/message"

/** A message as the API gives it; `message` are its words in English, or in the admin's language when it was asked for. */
export type PresentedMessage = { kind: string; params?: Readonly<Record<string, Param>>; message: string }
