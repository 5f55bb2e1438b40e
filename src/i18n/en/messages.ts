import { error } from "./errors"
import {
  balance,
  cancellation,
  cart,
  delivery,
  endpoint,
  instalments,
  mail,
  order_refund,
  proposal,
  refund_reason,
  work,
} from "./reasons"
import { label, plain } from "./labels"
import { file } from "./files"
import { refusal } from "./refusals"
import { rule } from "./rules"

/** Every sentence that programs pass, and rows store, as `{ kind, params }`. */
export const messages = {
  /** Somebody else's words. */
  said: "{{text}}",
  /** A rule, said of its field. */
  field: "{{name}} {{rule}}",
  /** The first of several faults. */
  more: "{{first}} (and {{others}} more)",
  label,
  plain,
  error,
  rule,
  refusal,
  file,
  delivery,
  endpoint,
  cancellation,
  cart,
  balance,
  order_refund,
  instalments,
  proposal,
  refund_reason,
  mail,
  work,
} as const
