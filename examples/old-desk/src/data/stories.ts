import type { Priority, State } from "../tables.ts";

/** What differs between two customers with the same story. */
export interface StoryDetails {
  readonly lamp: string;
  readonly order: string;
  readonly first: string;
}

type Who = "customer" | "agent" | "note";

export interface Story {
  readonly subject: (details: StoryDetails) => string;
  readonly text: (details: StoryDetails) => string;
  readonly replies: readonly (readonly [who: Who, text: (details: StoryDetails) => string])[];
  readonly team: 1 | 2 | 3 | 4;
  readonly kind: "Question" | "Complaint" | "Repair" | "Order" | "Praise";
  readonly state: State;
  readonly priority?: Priority;
  readonly channel?: "web" | "phone" | "letter";
  readonly tags?: readonly string[];
  /** Shown in the first message. */
  readonly picture?: "lit" | "dark" | "broken" | "form";
  /** Hangs on the first message. */
  readonly file?: "receipt" | "log" | "measurements";
  readonly safety?: true;
  readonly refund?: number;
}

/** Conversations as a help desk has them; each happens to several customers. */
export const stories: readonly Story[] = [
  {
    subject: ({ lamp }) => `${lamp} flickers when the fridge starts`,
    text: ({ lamp, order }) =>
      `<p>Hello,</p><p>our ${lamp} (order ${order}) flickers for a second or two <em>every time</em> the fridge starts. Is it the lamp or our wiring? A picture is below.</p>`,
    picture: "dark",
    replies: [
      [
        "agent",
        ({ first }) =>
          `<p>Hi ${first},</p><p>please try it in a socket on another circuit for a day. If it still flickers there, the driver is worn and we replace it free of charge.</p>`,
      ],
      ["customer", () => "<p>Tried it in the bedroom: no flicker at all. So it is the kitchen?</p>"],
      ["note", () => "<p>Third one this month with the 2023 driver. Tell the workshop.</p>"],
      [
        "agent",
        () =>
          "<p>Most likely the kitchen's circuit, but that driver reacts to it more than it should. We send you the new one; swapping it takes two screws.</p>",
      ],
    ],
    team: 2,
    kind: "Repair",
    state: "Done",
    tags: ["driver-2023", "warranty"],
  },
  {
    subject: ({ order }) => `Where is my order ${order}?`,
    text: ({ order }) => `<p>It has said <b>“on its way”</b> for nine days now. Order ${order}.</p>`,
    replies: [
      [
        "agent",
        ({ first }) =>
          `<p>Good morning ${first}, the parcel is stuck at the depot because the label lost its house number. I have just called them; it goes out tomorrow.</p>`,
      ],
      ["customer", () => "<p>It came. Thank you for calling them!</p>"],
    ],
    team: 1,
    kind: "Order",
    state: "Closed",
    channel: "web",
    tags: ["shipping"],
  },
  {
    subject: ({ lamp }) => `${lamp} arrived broken`,
    text: ({ lamp, order }) =>
      `<p>The glass of the ${lamp} is in pieces and the arm is bent. The box looked fine from outside. Order ${order}, photo attached.</p>`,
    picture: "broken",
    file: "receipt",
    replies: [
      [
        "agent",
        ({ first }) =>
          `<p>Oh no, ${first}. A new one leaves today, and you need not send back the pieces. Please put them into glass recycling.</p>`,
      ],
      ["note", () => "<p>Claimed from the carrier. Photo is good enough.</p>"],
      ["customer", () => "<p>Wow, that was fast. 🙏</p>"],
    ],
    team: 1,
    kind: "Complaint",
    state: "Closed",
    priority: "High",
    tags: ["breakage", "carrier-claim"],
  },
  {
    subject: () => "Smells burnt when dimmed",
    text: ({ lamp }) =>
      `<p>When our ${lamp} is dimmed to the lowest step for an hour, there is a smell of hot plastic near the base. We switched it off. <strong>Is it safe?</strong></p>`,
    replies: [
      [
        "agent",
        () =>
          "<p>Thank you for switching it off. Please leave it off and unplug it. We collect it tomorrow morning at our cost.</p>",
      ],
      [
        "note",
        () =>
          '<p>Safety board informed, batch 23-07. See <a href="/articles/3">how we handle safety reports</a>.</p>',
      ],
      [
        "agent",
        () =>
          "<p>The workshop found a cable that had been pinched when the base was closed. Yours was the only one of the batch; we checked the other eleven. You get a new lamp, and a visit to our workshop if you like.</p>",
      ],
    ],
    team: 2,
    kind: "Repair",
    state: "In the workshop",
    priority: "Drop everything",
    channel: "phone",
    tags: ["safety"],
    safety: true,
  },
  {
    subject: () => "Invoice with our VAT number, please",
    text: ({ order }) =>
      `<p>For order ${order} we need the invoice again with our VAT number on it:</p><table><tr><th>Company</th><td>as in the order</td></tr><tr><th>VAT</th><td>XX 123 456 789</td></tr></table>`,
    replies: [
      [
        "agent",
        () => "<p>Here you are: the corrected invoice is in your account, and the old one is cancelled.</p>",
      ],
      [
        "customer",
        () => "<p>The street is wrong on it, too. It should be <b>Harbour Road 12</b>, not 21.</p>",
      ],
      ["agent", () => "<p>Corrected. I am sorry that you had to ask twice.</p>"],
    ],
    team: 3,
    kind: "Question",
    state: "Done",
    tags: ["invoice"],
  },
  {
    subject: ({ lamp }) => `Can the ${lamp} hang over a bath?`,
    text: ({ lamp }) =>
      `<p>Your page says IP44 for the ${lamp}. Does this mean that it may hang over a bathtub?</p>`,
    replies: [
      [
        "agent",
        () =>
          "<p>IP44 is enough for zone 2, that is 60 cm beside the tub. Right above it you need IP65: have a look at the <i>Dusk Marine</i>.</p>",
      ],
      ["customer", () => "<p>Ordered the Marine. You saved us from a mistake.</p>"],
    ],
    team: 1,
    kind: "Question",
    state: "Closed",
    channel: "web",
  },
  {
    subject: ({ order }) => `Return of ${order}`,
    text: () =>
      "<p>It is a lovely lamp but too large for our hall. It has not been switched on. How do I send it back?</p>",
    replies: [
      [
        "agent",
        () =>
          "<p>Print the label in your account, under <em>Orders › Return</em>, and hand the box to any parcel shop. The money is back within a week of its arrival.</p>",
      ],
      ["customer", () => "<p>Sent today. The receipt says 4.2 kg.</p>"],
      ["agent", () => "<p>Arrived in perfect condition; refunded.</p>"],
    ],
    team: 3,
    kind: "Order",
    state: "Closed",
    tags: ["return"],
    refund: 12_900,
  },
  {
    subject: () => "Twelve lamps for the reading room",
    text: ({ lamp }) =>
      `<p>We furnish a reading room and need twelve ${lamp} in matt black with a switch in the cable. Delivery by the end of next month, on purchase order. Could you make an offer?</p>`,
    file: "measurements",
    replies: [
      [
        "agent",
        () =>
          "<p>With pleasure. Twelve pieces, matt black, cable switch: the offer is in your mail. Which PO number shall we print on it?</p>",
      ],
      ["customer", () => "<p>PO-2291. The architect asks whether the shade comes in 32 cm as well.</p>"],
      ["note", () => "<p>32 cm: ask Tomasz, we did it once for the hotel.</p>"],
    ],
    team: 4,
    kind: "Order",
    state: "Waiting for customer",
    priority: "High",
    channel: "letter",
    tags: ["offer", "wholesale"],
  },
  {
    subject: () => "Your checkout refuses my postcode",
    text: () =>
      "<p>The form says that my postcode is wrong. It is not. See the screenshot: <b>SW1A 1AA</b> with or without the blank.</p>",
    picture: "form",
    file: "log",
    replies: [
      [
        "agent",
        () =>
          "<p>You are right, our form was too strict since Monday. It is mended; could you try once more?</p>",
      ],
      ["customer", () => "<p>Works now!</p>"],
      [
        "note",
        () => "<p>Tell the web people to test with blanks: <code>/^[A-Z0-9]+$/</code> was the culprit.</p>",
      ],
    ],
    team: 1,
    kind: "Complaint",
    state: "Done",
    channel: "web",
    tags: ["website", "bug"],
  },
  {
    subject: ({ lamp }) => `Thank you for the ${lamp}`,
    text: ({ lamp }) =>
      `<p>I just wanted to say that the ${lamp} is the nicest thing in this house. It has been on every evening since 2019.</p>`,
    picture: "lit",
    replies: [
      [
        "agent",
        ({ first }) => `<p>${first}, this is now on the wall of the workshop. Thank <em>you</em>.</p>`,
      ],
    ],
    team: 2,
    kind: "Praise",
    state: "Closed",
    priority: "Low",
    tags: ["wall-of-fame"],
  },
  {
    subject: () => "Which bulb fits?",
    text: ({ lamp }) =>
      `<p>The bulb of my ${lamp} from years ago is gone and the print on it is worn off. E14 or E27? How many watts may it have?</p>`,
    replies: [
      [
        "agent",
        () =>
          "<p>E14, and at most 40 W, or any LED. Warm white, 2700 K, looks as it did on the first day.</p>",
      ],
    ],
    team: 2,
    kind: "Question",
    state: "Open",
    priority: "Low",
  },
  {
    subject: ({ order }) => `Charged twice for ${order}`,
    text: ({ order }) =>
      `<p>My bank shows the amount of ${order} <u>twice</u>, on the same day. Please give one of them back.</p>`,
    file: "receipt",
    replies: [
      [
        "agent",
        () =>
          "<p>I see one payment and one reservation, which your bank drops by itself within five days. Should it still be there on Friday, write back and I refund it by hand.</p>",
      ],
      ["customer", () => "<p>It is Friday, and it is still there.</p>"],
      ["note", () => "<p>Payment provider confirms: really charged twice. Refund approved by Maria.</p>"],
      ["agent", () => "<p>You were right and I was wrong: refunded today, with an apology voucher.</p>"],
    ],
    team: 3,
    kind: "Complaint",
    state: "Done",
    priority: "High",
    tags: ["payment", "apology"],
    refund: 8_900,
  },
];
