import { z } from "@medusajs/framework/zod"
import { required, parse, text, withoutAbsent, rule } from "../../../v2-kit/validate"
import { storeEndpoint } from "../../../admin-kit/endpoint"
import { listSchema, presentList, readList } from "../../../admin-kit/list"
import { describe, listOfProduct, listVariantPlans, presentVariantPlan, scopeForUser, setVariantPlan } from "./links"

const query = listSchema({ plan_id: text(64).optional(), product_id: text(64).optional() }, ["variant_id"])

const body = z.object({
  variant_id: text(64),
  plan_id: z.union([z.int(), z.string()], required(rule("plan_id"))).transform(String),
})

/**
 * The variants of the store that are sold on plans; `plan_id` (id or uuid) filters by plan. With `product_id`: all
 * variants of that product, also those without a plan.
 */
export const GET = storeEndpoint(async (context) => {
  const scope = await scopeForUser(context)
  const { limit, offset, plan_id, product_id } = readList(query, context.query)
  const plan = plan_id === undefined ? undefined : await context.gateway.plans.retrieve(scope, plan_id)
  const { rows, count } =
    product_id === undefined
      ? await listVariantPlans(context.request.scope, scope, { plan }, { limit, offset })
      : await listOfProduct(context.request.scope, scope, product_id, { limit, offset })
  const page = { rows, count, count_is_exact: true }
  return presentList("variant_plans", page, { limit, offset }, (row) => presentVariantPlan(row, scope))
})

/** Sells a variant on a plan. When the plan changes, existing subscriptions stay as they are. */
export const POST = storeEndpoint(async (context) => {
  const scope = await scopeForUser(context)
  const { variant_id, plan_id } = parse(body, withoutAbsent(context.body, []))
  const plan = await context.gateway.plans.retrieve(scope, plan_id)
  await setVariantPlan(context.request.scope, scope, variant_id, plan)
  const variant = (await describe(context.request.scope, [variant_id])).get(variant_id) ?? null
  return { variant_plan: presentVariantPlan({ variant_id, variant, plan }, scope) }
})
