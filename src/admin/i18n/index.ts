import { admin as adminBn } from "../../i18n/bn/admin"
import { messages as messagesBn } from "../../i18n/bn/messages"
import { admin as adminEn } from "../../i18n/en/admin"
import { messages as messagesEn } from "../../i18n/en/messages"

/** Read by Medusa's admin: the languages there are, each with the namespace `gateway` beside Medusa's own. */
export default {
  en: { gateway: { ...adminEn, messages: messagesEn } },
  bn: { gateway: { ...adminBn, messages: messagesBn } },
}
