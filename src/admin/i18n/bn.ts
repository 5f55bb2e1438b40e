import type { Wording } from "./wording"
import { audit } from "./bn/audit"
import { common } from "./bn/common"
import { developers } from "./bn/developers"
import { payments } from "./bn/payments"
import { settings } from "./bn/settings"
import type { en } from "./en"

export const bn: Wording<typeof en> = { ...common, payments, developers, settings, audit }
