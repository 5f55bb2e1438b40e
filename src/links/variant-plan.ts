import { defineLink } from "@medusajs/framework/utils"
import ProductModule from "@medusajs/medusa/product"
import GatewayModule from "../modules/gateway"

/** What a product variant is sold as, again and again: one plan; a plan may be that of many variants. */
export default defineLink(
  { linkable: ProductModule.linkable.productVariant, isList: true },
  GatewayModule.linkable.gatewayPlan
)
