import type { Plan } from "./types"

/** A variant of the store with its plan, in the form of `/api/v2`, where the number is the id. */
export type VariantPlan = {
  variant_id: string
  variant: { title: string; sku: string | null; product_id: string; product_title: string } | null
  plan: SoldPlan | null
}
type SoldPlan = Omit<Plan, "id" | "number" | "plan_description"> & { id: number; uuid: string }
