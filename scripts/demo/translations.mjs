import utils from "@medusajs/framework/utils"
import { DELIVERIES, LOCALE, OPTION_TITLE, PRODUCTS } from "./catalogue-bn.mjs"

const { ContainerRegistrationKeys, Modules } = utils

const PRODUCT_FIELDS = [
  "id",
  "handle",
  "options.id",
  "options.values.id",
  "options.values.value",
  "variants.id",
  "variants.sku",
  "variants.title",
]

/**
 * Writes the catalogue in Bangla into Medusa's translation module, which the Store API, carts and orders then speak when
 * they are asked in `bn-BD`. Each text is written once: an admin's later changes stay. A store without the module
 * (MEDUSA_FF_TRANSLATION) keeps English.
 */
export async function ensureTranslations(container) {
  const module = container.resolve(Modules.TRANSLATION, { allowUnregistered: true })
  if (!module) {
    return
  }
  const wanted = [...(await productTexts(container)), ...(await deliveryTexts(container))]
  const known = await module.listTranslations(
    { reference_id: wanted.map(({ reference_id }) => reference_id), locale_code: LOCALE },
    { select: ["id", "reference_id"], take: wanted.length }
  )
  const ids = new Set(known.map(({ reference_id }) => reference_id))
  const missing = wanted.filter(({ reference_id }) => !ids.has(reference_id))
  if (missing.length > 0) {
    await module.createTranslations(missing)
  }
}

const text = (reference, reference_id, translations) => ({ reference, reference_id, locale_code: LOCALE, translations })

async function productTexts(container) {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const filters = { handle: Object.keys(PRODUCTS) }
  const { data: products } = await query.graph({ entity: "product", fields: PRODUCT_FIELDS, filters })
  return products.flatMap(({ id, handle, options, variants }) => {
    const { variants: titles, ...translations } = PRODUCTS[handle]
    // A value of the option has the title of its variant.
    const inBangla = Object.fromEntries(variants.map(({ sku, title }) => [title, titles[sku]]))
    return [
      text("product", id, translations),
      ...variants.map((variant) => text("product_variant", variant.id, { title: titles[variant.sku] })),
      ...options.map((option) => text("product_option", option.id, { title: OPTION_TITLE })),
      ...options
        .flatMap(({ values }) => values)
        .map((one) => text("product_option_value", one.id, { value: inBangla[one.value] })),
    ]
  })
}

async function deliveryTexts(container) {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const fields = ["id", "type.id", "type.code"]
  const { data: options } = await query.graph({ entity: "shipping_option", fields })
  return options
    .filter(({ type }) => type?.code in DELIVERIES)
    .flatMap(({ id, type }) => {
      const { name, description } = DELIVERIES[type.code]
      return [
        text("shipping_option", id, { name }),
        text("shipping_option_type", type.id, { label: name, description }),
      ]
    })
}
