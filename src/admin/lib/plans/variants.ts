import type { Plan } from "./types"

/** A variant of the store, and the plan that it is sold on: as a plan of `/api/v2`, whose id is the number. */
export type VariantPlan = {
  variant_id: string
  variant: { title: string; sku: string | null; product_id: string; product_title: string } | null
  plan: SoldPlan | null
}
export type SoldPlan = Omit<Plan, "id" | "number" | "plan_description"> & { id: number; uuid: string }
