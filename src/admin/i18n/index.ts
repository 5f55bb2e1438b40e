import { messages as messagesBn } from "../../i18n/bn/messages"
import { messages as messagesEn } from "../../i18n/en/messages"
import { bn } from "./bn"
import { en } from "./en"

/** Read by Medusa's admin: the languages there are, each with the namespace `gateway` beside Medusa's own. */
export default { en: { gateway: { ...en, messages: messagesEn } }, bn: { gateway: { ...bn, messages: messagesBn } } }
