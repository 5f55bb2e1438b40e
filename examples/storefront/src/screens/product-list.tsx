import { NoticeArea, isBusy, showProblem, whileBusy } from "../components/notice"
import { h, type View } from "../lib/dom"
import { describeError } from "../lib/errors"
import { taka } from "../lib/format"
import { href, type Page } from "../lib/router"
import { findPlans, type Plans } from "../store/plans"
import { canBuy, listProducts, priceRange } from "../store/products"
import type { Product } from "../store/types"
import { t } from "../text"

export async function productListScreen(): Promise<Page> {
  const { products, count } = await listProducts()
  const plans = await plansOf(products)
  const grid = (
    <ul class="grid">
      {products.map((product) => (
        <ProductCard product={product} plans={plans} />
      ))}
    </ul>
  )

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
        {count > products.length && <ShowMore grid={grid} count={count} />}
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

function ShowMore({ grid, count }: { grid: View; count: number }): View {
  const problem = <NoticeArea id="more-problem" />
  const button = (
    <button class="button button-quiet" type="button" onClick={showMore}>
      {t.list.more}
    </button>
  ) as HTMLButtonElement

  async function showMore() {
    if (isBusy(button)) {
      return
    }
    problem.replaceChildren()
    try {
      const { products } = await whileBusy(button, t.loading, () => listProducts(grid.children.length))
      const plans = await plansOf(products)
      const first = products.map((product) => grid.appendChild(<ProductCard product={product} plans={plans} />))[0]
      first?.querySelector("a")?.focus()
      if (grid.children.length >= count) {
        button.remove()
      }
    } catch (error) {
      showProblem(problem, describeError(error))
    }
  }

  return (
    <div class="more">
      {problem}
      {button}
    </div>
  )
}
