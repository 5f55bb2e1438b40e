/**
 * What the page does for a shopper who loses the connection, or comes back to it. As in page.ts, the browser gets these
 * functions' source text.
 */

/**
 * A form that is sent while offline would leave the browser's own error in place of the page, and of what was typed. This
 * listens before the forms themselves do.
 */
export function sendOnlyOnline(): void {
  const text = document.querySelector<HTMLElement>("#announcements")?.dataset.offline ?? ""
  const note = document.createElement("p")
  note.className = "error"
  note.setAttribute("role", "status")
  note.textContent = text
  const check = (event: Event) => {
    note.remove()
    if (!navigator.onLine) {
      event.preventDefault()
      event.stopPropagation()
      ;(event.target as HTMLElement).querySelector("[type=submit]")?.before(note)
    }
  }
  document.addEventListener("submit", check, true)
}

/**
 * An answer to a form becomes an ordinary visit of its address: going back to it or reloading it does not ask whether to
 * send the form, and perhaps pay, once more.
 */
export function forgetPost(): void {
  history.replaceState(history.state, "", location.href)
}

/**
 * Sends the form by itself where the shopper has chosen in the shop already, once in a tab: whoever reloads the page or
 * goes back to it finds the ways to pay. A page that is loaded ahead or in another tab waits until it is looked at. Only
 * after the page has loaded: before that, a browser puts the next page in its place, and Back would not find it.
 */
export function goStraight(): void {
  const form = document.querySelector<HTMLFormElement>("form[data-straight]")
  const key = `straight ${location.pathname}`
  const stay = () => {
    form?.classList.remove("straight")
    form?.removeAttribute("data-straight")
  }
  const go = () => {
    if (!form?.dataset.straight || document.visibilityState !== "visible" || document.readyState !== "complete") {
      return
    }
    document.removeEventListener("visibilitychange", go)
    form.requestSubmit()
    if (form.dataset.sent) {
      form.classList.add("straight")
    } else {
      stay()
    }
  }
  try {
    if (!form || sessionStorage.getItem(key)) {
      stay()
      return
    }
    sessionStorage.setItem(key, "yes")
    document.addEventListener("visibilitychange", go)
    // Whoever does anything before it has gone decides for themselves: cancels, or chooses another way.
    for (const type of ["pointerdown", "keydown", "change"]) {
      document.addEventListener(type, stay, { once: true })
    }
    window.addEventListener("load", () => setTimeout(go))
    window.addEventListener("pageshow", (event) => event.persisted && stay())
  } catch {
    // Without the storage of the session, a later visit would look like the first one.
    stay()
  }
}

/**
 * A declined payment comes back as a new page. Until then this tab keeps what was typed, without codes and PINs; a card's
 * number only when it is one of this page's test cards, because no real one may be stored anywhere.
 */
export function keepTyped(): void {
  const form = document.querySelector<HTMLFormElement>("form[data-problems]")
  const key = `typed ${location.pathname}`
  const testCards = [...document.querySelectorAll<HTMLElement>("[data-card]")].map(({ dataset }) => dataset.card)
  const fields = [
    ...(form?.querySelectorAll<HTMLInputElement>("#card_number, #card_expiry, #card_name, #mobile_number") ?? []),
  ]
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? "{}") as Record<string, string>
    sessionStorage.removeItem(key)
    if (document.querySelector("#problems")) {
      fields.forEach((field) => {
        field.value ||= kept[field.name] ?? ""
        field.dispatchEvent(new Event("input", { bubbles: true }))
      })
    }
    form?.addEventListener("submit", (event) => {
      const typed = fields.filter(
        ({ name, value }) => name !== "card_number" || testCards.includes(value.replace(/\D/g, ""))
      )
      if (!event.defaultPrevented) {
        sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(typed.map(({ name, value }) => [name, value]))))
      }
    })
  } catch {
    // Some browsers refuse to store anything: then it is typed again.
  }
}
