import { endpoint } from "../../../../v2-kit/endpoint"
import { bare, list } from "../../../../v2-kit/envelopes"
import { readList } from "../../../../v2-kit/pagination"
import { presentPlan, presentPlanLine } from "./present"
import { filterSchema, readPlan } from "./schemas"

/** Creates a plan (contract 4.5). */
export const POST = endpoint(async ({ gateway, caller, body, claim }) => {
  const plan = await gateway.plans.create(caller, readPlan(body), claim?.id)
  return bare(presentPlan(plan, caller), 201)
})

export const GET = endpoint(async ({ gateway, caller, query }) => {
  const { filter, page } = readList(query, filterSchema)
  const { rows, total } = await gateway.plans.list(caller, filter, page)
  return list(
    "Plans",
    rows.map((plan) => presentPlanLine(plan, caller)),
    total,
    page
  )
})
