import { Notice } from "../components/notice"
import { h, type View } from "../lib/dom"
import { describeError } from "../lib/errors"
import { href, type Page } from "../lib/router"
import { t } from "../text"

export function notFoundScreen(): Page {
  return {
    title: t.notFoundTitle,
    content: (
      <div class="narrow">
        <h1>{t.notFoundTitle}</h1>
        <p class="lead">{t.notFound}</p>
        <p>
          <a class="button" href={href("/")}>
            {t.backToShop}
          </a>
        </p>
      </div>
    ),
  }
}

/** Replaces a screen that could not be loaded. */
export function errorPage(error: unknown, retry: () => void): Page {
  return {
    title: t.somethingWrong,
    content: (
      <div class="narrow">
        <h1>{t.somethingWrong}</h1>
        <Notice kind="problem">{describeError(error)}</Notice>
        <p class="actions">
          <button class="button" type="button" onClick={retry}>
            {t.tryAgain}
          </button>
          <a href={href("/")}>{t.backToShop}</a>
        </p>
      </div>
    ),
  }
}

/** Grey shapes while a screen loads, with a text for screen readers; `slow` adds a text when loading takes long. */
export function Skeleton({ slow }: { slow?: boolean }): View {
  return (
    <div class="skeleton" role="status">
      <p class={slow ? "muted" : "visually-hidden"}>{slow ? t.slow : t.loading}</p>
      <div class="bone bone-title" />
      <div class="grid" aria-hidden="true">
        {[1, 2, 3, 4].map(() => (
          <div class="bone bone-card" />
        ))}
      </div>
    </div>
  )
}
