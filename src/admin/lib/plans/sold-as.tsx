import { Button, Text } from "@medusajs/ui"
import { Link } from "react-router-dom"
import { useAdminQuery } from "../data"
import { useFrame, useTenant } from "../admin-api"
import { useText } from "../text"
import { Section } from "../ui/section"
import { ErrorState, Loading } from "../ui/states"
import type { VariantPlan } from "./variants"
import type { Plan } from "./types"

const SHOWN = 50

/** The store's variants that are sold on a plan. The store cannot sell other merchants' plans. */
export const SoldAs = ({ plan }: { plan: Plan }) => {
  const say = useText()
  const { data: frame } = useFrame()
  const { tenant } = useTenant()
  const isStores = tenant?.merchant_id === frame?.default_merchant_id && tenant?.environment === frame?.environment
  const { data, error, refetch } = useAdminQuery<{ variant_plans: VariantPlan[]; count: number }>(
    "/variant-plans",
    { plan_id: plan.id, limit: SHOWN },
    isStores
  )
  const note = !isStores ? say("plans.variants.elsewhere") : data?.count === 0 ? say("plans.variants.none") : null
  return (
    <Section
      heading={say("plans.variants.title")}
      description={say("plans.variants.hint")}
      actions={
        isStores &&
        plan.is_active && (
          <Button size="small" variant="secondary" asChild>
            <Link to="/products">{say("plans.variants.products")}</Link>
          </Button>
        )
      }
    >
      {isStores &&
        data === undefined &&
        (error === null ? <Loading lines={2} /> : <ErrorState error={error} retry={() => void refetch()} />)}
      {note !== null && (
        <Text size="small" className="text-ui-fg-subtle px-6 py-4">
          {note}
        </Text>
      )}
      {isStores && data !== undefined && data.count > 0 && (
        <ul className="divide-y">
          {data.variant_plans.map(({ variant_id, variant }) => (
            <li key={variant_id} className="flex flex-wrap items-center gap-x-2 px-6 py-3">
              <Link
                to={variant === null ? "/products" : `/products/${variant.product_id}`}
                className="txt-compact-small text-ui-fg-interactive"
              >
                {variant === null ? variant_id : `${variant.product_title} · ${variant.title}`}
              </Link>
              {variant?.sku && <code className="txt-compact-xsmall text-ui-fg-subtle">{variant.sku}</code>}
            </li>
          ))}
        </ul>
      )}
      {data !== undefined && data.count > SHOWN && (
        <Text size="small" className="text-ui-fg-subtle px-6 py-3">
          {say("plans.variants.more", { count: SHOWN })}
        </Text>
      )}
    </Section>
  )
}
