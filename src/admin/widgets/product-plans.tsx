import { defineWidgetConfig } from "@medusajs/admin-sdk"
import { Container, Heading, Text } from "@medusajs/ui"
import { useAdminQuery } from "../lib/data"
import { useFormats } from "../lib/format"
import { LinkVariant, UnlinkVariant } from "../lib/plans/variants"
import { type VariantPlan, everyText } from "../lib/plans/parts"
import { useFrame } from "../lib/admin-api"
import { useLocale, useText } from "../lib/text"
import { ErrorState, Loading } from "../lib/ui/section"
import { Link } from "../lib/ui/page-links"

const SHOWN = 100

/** On a product's page: which of its variants begin a subscription, and on which plan. */
const ProductPlans = ({ data: product }: { data: { id: string } }) => {
  const say = useText()
  const locale = useLocale()
  const { error: frameError, refetch: askAgain } = useFrame()
  const {
    data,
    error: ownError,
    refetch,
  } = useAdminQuery<{ variant_plans: VariantPlan[]; count: number }>("/variant-plans", {
    product_id: product.id,
    limit: SHOWN,
  })
  // Without the frame nothing is asked: no merchant is known.
  const error = ownError ?? frameError
  // A product's page is also for those who have no right to subscriptions, or none to anything of the gateway.
  if (error?.status === 403) {
    return null
  }
  return (
    <Container className="divide-y p-0" lang={locale} role="region" aria-label={say("plans.widget.title")}>
      <div className="px-6 py-4">
        <Heading level="h2">{say("plans.widget.title")}</Heading>
        <Text size="small" className="text-ui-fg-subtle">
          {say("plans.widget.hint")}
        </Text>
      </div>
      {data === undefined &&
        (error === null ? (
          <Loading lines={3} />
        ) : (
          <ErrorState error={error} retry={() => void (ownError === null ? askAgain() : refetch())} />
        ))}
      {data?.count === 0 && (
        <Text size="small" className="text-ui-fg-subtle px-6 py-4">
          {say("plans.widget.no_variants")}
        </Text>
      )}
      {data?.variant_plans.map((row) => (
        <Variant key={row.variant_id} row={row} />
      ))}
      {data !== undefined && data.count > SHOWN && (
        <Text size="small" className="text-ui-fg-subtle px-6 py-3">
          {say("plans.variants.more", { count: SHOWN })}
        </Text>
      )}
    </Container>
  )
}

const Variant = ({ row }: { row: VariantPlan }) => {
  const say = useText()
  const { money } = useFormats()
  const { data: frame } = useFrame()
  const { plan, variant } = row
  const name = variant?.title ?? row.variant_id
  const admin = `merchant_id=${frame?.default_merchant_id}&environment=${frame?.environment}`
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 px-6 py-3">
      <div className="min-w-0">
        <Text size="small" weight="plus" leading="compact">
          {name}
        </Text>
        <Text size="small" className="text-ui-fg-subtle">
          {plan === null ? (
            say("plans.widget.once")
          ) : (
            <>
              <Link to={`/gateway/plans/${plan.uuid}?${admin}`} className="text-ui-fg-interactive">
                {plan.plan_name}
              </Link>
              {` · ${money(plan.amount, plan.currency)} ${everyText(say, plan)}`}
            </>
          )}
        </Text>
        {plan?.is_active === false && (
          <Text size="xsmall" className="text-ui-tag-red-text">
            {say("plans.widget.archived")}
          </Text>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <LinkVariant row={row} name={name} />
        {plan !== null && <UnlinkVariant row={row} />}
      </div>
    </div>
  )
}

export const config = defineWidgetConfig({ zone: "product.details.after", id: "gateway-product-plans" })

export default ProductPlans
