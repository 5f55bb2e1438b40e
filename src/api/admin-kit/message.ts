import type { Language } from "../../i18n/languages"
import type { HistoryEntry } from "../../modules/gateway/kernel/audit"
import type { Message } from "../../i18n/message"
import { translate } from "../../i18n/translate"

/**
 * A message as an admin's page gets it: the page says its kind in the admin's language, and shows `message` where it does
 * not know the kind.
 */
export function presentMessage(message: Message, language: Language = "en"): Message & { message: string } {
  return { ...message, message: translate(message, language) }
}

export function presentMessageOrNull(message: Message | null): ReturnType<typeof presentMessage> | null {
  return message && presentMessage(message)
}

export function presentHistory(history: readonly HistoryEntry[]): object[] {
  return history.map(({ at, ...message }) => ({ ...presentMessage(message), at }))
}
