import { bn } from "./bn"
import { en } from "./en"

/** Read by Medusa's admin: the languages there are, each with the namespace `gateway` beside Medusa's own. */
export default { en: { gateway: en }, bn: { gateway: bn } }
