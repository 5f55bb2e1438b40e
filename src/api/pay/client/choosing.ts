/** What follows the choice of a way to pay. As in page.ts, the browser gets these functions' source text. */

/**
 * Disables the fields of the other methods, and those of a service with a page of its own: what was typed there stays in
 * the browser.
 */
export function openChosenMethod(): void {
  const form = document.querySelector<HTMLFormElement>("form[data-problems]")
  if (!form) {
    return
  }
  const update = () => {
    form.querySelectorAll<HTMLElement>("[data-method]").forEach((method) => {
      const body = method.querySelector<HTMLFieldSetElement>("fieldset[data-body]")
      if (body && method.querySelector("input[name=method][type=radio]")) {
        body.disabled = !method.querySelector("input[name=method]:checked")
      }
      const details = method.querySelector<HTMLFieldSetElement>("fieldset[data-details]")
      if (details) {
        details.disabled = !method.querySelector("[data-here]:checked")
      }
    })
  }
  form.addEventListener("change", update)
  window.addEventListener("pageshow", update)
  update()
}

/** Updates the button and the summary to the amounts of the chosen offer. */
export function followInstalments(): void {
  const form = document.querySelector<HTMLFormElement>("form[data-problems]")
  const label = form?.querySelector<HTMLElement>("button[type=submit] .in-instalments")
  if (!form || !label) {
    return
  }
  const unchosen = label.textContent
  const line = document.querySelector<HTMLElement>("[data-emi]")
  const update = () => {
    const chosen = form.querySelector<HTMLInputElement>(
      "input[name=emi][data-pay]:checked, input[name=emi][type=hidden]"
    )
    label.textContent = chosen?.dataset.pay ?? unchosen
    const byCard = form.querySelector("#method_card:checked, [type=hidden]#method_card") !== null
    if (line) {
      line.hidden = !chosen || !byCard
      line.firstElementChild?.replaceChildren((byCard && chosen?.dataset.all) || "")
    }
  }
  form.addEventListener("change", update)
  window.addEventListener("pageshow", update)
  update()
}
