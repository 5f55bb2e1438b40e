import type { Window } from "../../../../modules/gateway/kernel/paging"
import { z } from "@medusajs/framework/zod"
import { SUBSCRIPTION_STATES } from "../../../../modules/gateway/subscriptions/states"
import type { SubscriptionFilter } from "../../../../modules/gateway/subscriptions/list"
import type { JsonObject } from "../../../v2-kit/body"
import { parse, text, wholeNumber, withoutAbsent, rule } from "../../../v2-kit/validate"
import { listSchema, readList, several, type ListFormat } from "../../../admin-kit/list"

const query = listSchema({ status: several(SUBSCRIPTION_STATES).optional(), plan_id: text(64).optional() }, [
  "created_at",
])

export function readFilter(sent: JsonObject): SubscriptionFilter & Window & ListFormat {
  return readList(query, sent)
}

const pageQuery = listSchema({}, ["created_at"])

export function readWindow(sent: JsonObject): Window & ListFormat {
  return readList(pageQuery, sent)
}

const retrySchema = z.object({ attempts: wholeNumber.min(0, rule("not_negative")) })

/** How many charges of the open period the admin has seen. */
export function readAttempts(body: JsonObject): number {
  return parse(retrySchema, withoutAbsent(body, [])).attempts
}
