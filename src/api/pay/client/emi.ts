/**
 * Updates the button and the summary to the amounts of the chosen offer. Like page.ts this is sent to the browser as source text: it may
 * use the browser and its own file, and nothing imported.
 */
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
