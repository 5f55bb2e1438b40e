import { audit } from "./en/audit"
import { common } from "./en/common"
import { developers } from "./en/developers"
import { payments } from "./en/payments"
import { settings } from "./en/settings"

export const en = { ...common, payments, developers, settings, audit }
