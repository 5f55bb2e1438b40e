import { ShowMore } from "../components/more"
import { h, type View } from "../lib/dom"
import { taka } from "../lib/format"
import { href, type Page } from "../lib/router"
import { findPlans, type Plans } from "../store/plans"
import { canBuy, listProducts, priceRange } from "../store/products"
import type { Product } from "../store/types"
import { t } from "../text"

export async function productListScreen(): Promise<Page> {
  const { products, count } = await listProducts()
  const plans = await plansOf(products)
  const cards = (page: Product[], of: Plans) => page.map((product) => <ProductCard product={product} plans={of} />)
  const grid = <ul class="grid">{cards(products, plans)}</ul>
  const load = async (offset: number) => {
    const next = (await listProducts(offset)).products
    return cards(next, await plansOf(next))
  }

  return {
    title: t.list.title,
    content: (
      <div>
        <div class="hero">
          <h1>{t.list.title}</h1>
          <p class="lead">{t.list.lead}</p>
        </div>
        {products.length === 0 && <p>{t.list.empty}</p>}
        {grid}
        <ShowMore id="more" list={grid} count={count} load={load} />
      </div>
    ),
  }
}

/** Optional on this list: the product's page shows it in any case. */
function plansOf(products: Product[]): Promise<Plans> {
  return findPlans(products.flatMap((product) => product.variants?.map(({ id }) => id) ?? [])).catch(
    (): Plans => new Map()
  )
}

function ProductCard({ product, plans }: { product: Product; plans: Plans }): View {
  const range = priceRange(product)
  const isPlanned = product.variants?.some(({ id }) => plans.has(id))
  const available = product.variants?.some(canBuy)
  return (
    <li class="card">
      <a href={href(`/products/${encodeURIComponent(product.handle)}`)}>
        <div class="picture">
          {product.thumbnail && <img src={product.thumbnail} alt="" width="480" height="480" loading="lazy" />}
        </div>
        <span class="card-title">{product.title}</span>
        {range && <span class="card-price">{range.varies ? t.list.from(taka(range.from)) : taka(range.from)}</span>}
        {isPlanned && <span class="tag">{t.plan.label}</span>}
        {!available && <span class="tag">{t.list.soldOut}</span>}
      </a>
    </li>
  )
}
