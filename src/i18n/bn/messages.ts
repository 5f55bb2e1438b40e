import type { messages as english } from "../en/messages"
import type { Wording } from "../wording"
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

export const messages: Wording<typeof english> = {
  said: "{{text}}",
  field: "{{name}} {{rule}}",
  more: "{{first}} (আরও {{others}}টি)",
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
}
