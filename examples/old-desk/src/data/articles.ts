/** The help pages that Acme wrote in its old help desk. */
export const articles = [
  {
    title: "Which bulb fits which lamp",
    shelf: ["Care", "Bulbs"],
    state: "published",
    text: "<p>All our lamps take LED bulbs.</p><table><tr><th>Lamp</th><th>Socket</th><th>At most</th></tr><tr><td>Aurora</td><td>E27</td><td>60 W</td></tr><tr><td>Beacon</td><td>E14</td><td>40 W</td></tr><tr><td>Candela</td><td>E14</td><td>40 W</td></tr><tr><td>Dusk</td><td>GU10</td><td>35 W</td></tr></table>",
  },
  {
    title: "Send something back",
    shelf: ["Orders", "Returns"],
    state: "published",
    text: "<ol><li>Open <b>Orders › Return</b> in your account.</li><li>Print the label.</li><li>Hand the box to a parcel shop.</li></ol><p>The money is back within a week.</p>",
  },
  {
    title: "How we handle safety reports",
    shelf: ["Inside"],
    state: "draft",
    text: "<p>Ask for the batch number, ask to unplug the lamp, collect it at our cost, write to the safety board <strong>the same day</strong>.</p>",
  },
  {
    title: "Swap a driver in five minutes",
    shelf: ["Care", "Repairs"],
    state: "published",
    text: "<p>Unplug the lamp. Loosen the two screws under the base, pull out the old driver, push in the new one until it clicks. It looks like this when it is right:</p>",
  },
  {
    title: "Lampen im Bad: welche Schutzart?",
    shelf: ["Care"],
    state: "published",
    text: "<p>Über der Wanne <b>IP65</b>, daneben genügt <b>IP44</b>.</p>",
  },
] as const;
