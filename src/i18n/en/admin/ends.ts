/** The end of a subscription, and of those to a plan; and a trial that is not given again. */
export const ends = {
  cycles: "Payments until it ends",
  plan_hint: "Empty: it goes on until somebody cancels it. Trials and periods without a delivery do not count.",
  cycles_hint: "Empty: it goes on. What is paid already counts, a trial does not.",
  at: "First day without payments",
  at_hint: "The period that contains the day is the last: it is charged whole. Give one of the two, or none.",
  title: "End",
  none: "None",
  plan_one: "after {{count}} payment",
  plan_other: "after {{count}} payments",
  paid: "{{paid}} of {{all}}",
  on: "ends on {{date}}",
  from: "no payment from {{date}} on",
  no_trial: "Trial",
  no_trial_text: "Not given: this customer had the plan's trial before.",
  no_trial_before: "See subscription {{number}}",
  uncancel_last: "Nothing more is charged: it ends on {{date}}, as before.",
}
