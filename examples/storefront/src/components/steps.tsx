import { h, type View } from "../lib/dom"
import { href } from "../lib/router"
import { t } from "../text"

const STEPS = ["address", "delivery", "pay"] as const
export type Step = (typeof STEPS)[number]

/** The steps of the checkout; completed steps are links back. */
export function Steps({ current }: { current: Step }): View {
  const reached = STEPS.indexOf(current)
  return (
    <nav aria-label={t.steps.label}>
      <ol class="steps">
        {STEPS.map((step, index) => (
          <li class={index < reached ? "done" : null}>
            {index < reached ? (
              <a href={href(`/checkout/${step}`)}>{t.steps[step]}</a>
            ) : (
              <span aria-current={index === reached ? "step" : null}>{t.steps[step]}</span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
